/* Writing a tar.gz; see the header. */
#include "config.h"

#include "app/archive.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
	BLOCK = 512,
	PIECE = 65536,
};

/* POSIX.1-1988 ustar. Numbers are octal text. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8];
	char type, link[100], magic[6], version[2];
	char user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "one block");

struct archive {
	gzFile out;
	const char *folder;
	nsec wall;
	struct buffer sums;
};

struct archive *archive_new(int fd, const char *folder, nsec wall, struct fault *fault)
{
	struct archive *archive = xalloc(sizeof *archive);
	int own = dup(fd);

	archive->folder = folder;
	archive->wall = wall;
	archive->out = own < 0 ? NULL : gzdopen(own, "wb");
	if (archive->out)
		return archive;
	(void)fault_set(fault, "cannot begin the archive");
	if (own >= 0)
		(void)close(own); /* nothing was written */
	free(archive);
	return NULL;
}

static bool put(
	struct archive *archive, const void *data, size_t size, struct fault *fault)
{
	int problem;

	if (!size || gzwrite(archive->out, data, (unsigned)size) == (int)size)
		return true;
	(void)gzerror(archive->out, &problem); /* its text says no more than errno */
	return fault_errno(
		fault, problem == Z_ERRNO ? errno : EIO, "cannot write the archive");
}

static bool pad(struct archive *archive, uint64_t size, struct fault *fault)
{
	static const char zeros[BLOCK];

	return put(archive, zeros, (BLOCK - size % BLOCK) % BLOCK, fault);
}

static void octal(char *to, size_t size, uint64_t value)
{
	/* callers see to it that it fits */
	(void)text_format(to, size, "%0*llo", (int)size - 1, (unsigned long long)value);
}

static bool put_header(
	struct archive *archive, const char *name, uint64_t size, struct fault *fault)
{
	struct header header = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
	const uint8_t *bytes = (const uint8_t *)&header;
	unsigned sum = 0;

	if (!text_format(
		    header.name, sizeof header.name, "%s/%s", archive->folder, name))
		return fault_set(
			fault, "the name of %s is too long for an archive", name);
	if (size >> 33)
		return fault_set(fault, "%s is too large for an archive", name);
	octal(header.mode, sizeof header.mode, 0600);
	octal(header.uid, sizeof header.uid, 0);
	octal(header.gid, sizeof header.gid, 0);
	octal(header.size, sizeof header.size, size);
	octal(header.time, sizeof header.time,
		(uint64_t)(archive->wall / NSEC_PER_SEC));
	memset(header.sum, ' ', sizeof header.sum);
	for (size_t i = 0; i < sizeof header; i++)
		sum += bytes[i];
	octal(header.sum, sizeof header.sum - 1, sum); /* six digits, a zero, a blank */
	return put(archive, &header, sizeof header, fault);
}

/* "HASH  NAME", as sha256sum writes and checks it. */
static void add_sum(struct archive *archive, const char *name, struct sha256_ctx *hash)
{
	uint8_t digest[SHA256_DIGEST_SIZE];

	sha256_digest(hash, sizeof digest, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		buffer_format(&archive->sums, "%02x", digest[i]);
	buffer_format(&archive->sums, "  %s\n", name);
}

/* SIZE bytes of FD; one that became shorter meanwhile is a fault. */
static bool copy(struct archive *archive, int fd, uint64_t size,
	struct sha256_ctx *hash, struct fault *fault)
{
	char piece[PIECE / 16];

	while (size) {
		size_t most = size < sizeof piece ? (size_t)size : sizeof piece;
		ssize_t got = read(fd, piece, most);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return fault_errno(fault, got ? errno : EIO, "cannot read");
		sha256_update(hash, (size_t)got, (const uint8_t *)piece);
		if (!put(archive, piece, (size_t)got, fault))
			return false;
		size -= (uint64_t)got;
	}
	return true;
}

bool archive_add(struct archive *archive, const char *name, const char *path,
	struct fault *fault)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct sha256_ctx hash;
	struct stat status;
	bool done;

	if (fd < 0 || fstat(fd, &status)) {
		(void)fault_errno(fault, errno, "cannot read %s", path);
		if (fd >= 0)
			(void)close(fd); /* only read */
		return false;
	}
	sha256_init(&hash);
	done = put_header(archive, name, (uint64_t)status.st_size, fault) &&
	       copy(archive, fd, (uint64_t)status.st_size, &hash, fault) &&
	       pad(archive, (uint64_t)status.st_size, fault);
	(void)close(fd); /* only read */
	if (done)
		add_sum(archive, name, &hash);
	return done;
}

static bool put_end(struct archive *archive, struct fault *fault)
{
	static const char end[2 * BLOCK];

	return put_header(archive, "SHA256SUMS", archive->sums.size, fault) &&
	       put(archive, archive->sums.data, archive->sums.size, fault) &&
	       pad(archive, archive->sums.size, fault) &&
	       put(archive, end, sizeof end, fault);
}

bool archive_end(struct archive *archive, struct fault *fault)
{
	bool done = put_end(archive, fault);

	if (gzclose(archive->out) != Z_OK && done)
		done = fault_errno(fault, errno, "cannot write the archive");
	archive->out = NULL;
	archive_drop(archive);
	return done;
}

void archive_drop(struct archive *archive)
{
	if (!archive)
		return;
	if (archive->out)
		(void)gzclose(archive->out); /* what is written goes anyway */
	buffer_fini(&archive->sums);
	free(archive);
}
