/*
 * `weir bundle`: everything about a session in one file, for whoever has to look into
 * it. Each part is made by the command that makes it alone, as this program once more,
 * in a folder beside the bundle that is gone afterwards.
 */
#include "config.h"

#include "app/archive.h"
#include "app/commands.h"
#include "app/evidence_file.h"
#include "app/output.h"
#include "app/place.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/text.h"
#include "report/redact.h"
#include "report/report.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FOLDER_NAME = 64,
	PART_NAME = 40,
	PATH = PATH_MAX + FOLDER_NAME + PART_NAME,
	WORDS = 12,
};

/* clang-format off */
static const struct option_info options_bundle[] = {
	{"output", 'o', "FILE.tar.gz", "a new file"},
	{"redact", 0, "[=all]", "as in reports; leaves out what cannot be covered"},
	{NULL, 0, NULL, NULL},
};

/* What is in it, by the command that makes it; what is private holds addresses in a
 * form that cannot be covered. */
static const struct part {
	const char *file, *command, *format;
	bool private, optional;
} parts[] = {
	{"report.txt",      "report",   "text",    false, false},
	{"report.json",     "report",   "json",    false, false},
	{"report.csv",      "report",   "csv",     false, false},
	{"figures.csv",     "export",   "csv",     true,  false},
	{"session.weir",    "export",   "session", true,  false},
	{"evidence.pcapng", "evidence", NULL,      true,  true},
};
/* clang-format on */

struct bundle {
	const struct place *place;
	const char *redact; /* null: no; "" or the level */
	char work[PATH_MAX];
	char folder[FOLDER_NAME]; /* inside the archive */
	struct archive *archive;
	struct buffer left_out; /* what, and why */
	unsigned attachments;
	bool damaged; /* the session: what can be read of it goes in */
	bool lacks;   /* a part, or some of one */
};

static bool work_path(
	const struct bundle *bundle, const char *name, char *path, struct fault *fault)
{
	return text_format(path, PATH, "%s/%s", bundle->work, name) ||
	       fault_set(fault, "the path of the bundle is too long");
}

/* Its output goes where ours goes, but the figures into PATH. */
static int make_part(const struct bundle *bundle, const struct part *part, char *path)
{
	char redact[24];
	const char *words[WORDS] = {
		"/proc/self/exe", part->command, "-s", bundle->place->file, "-o", path};
	struct child child;
	struct fault fault;
	unsigned count = 6;

	if (part->format) {
		words[count++] = "--format";
		words[count++] = part->format;
	}
	if (bundle->redact && !part->private) {
		(void)text_format(redact, sizeof redact, "--redact%s%s",
			*bundle->redact ? "=" : "",
			bundle->redact); /* checked before */
		words[count++] = redact;
	}
	if (child_start(&child, words, CHILD_INHERIT, &fault))
		return child_wait(&child);
	return failure(&fault);
}

/* A file that cannot be read to its end would spoil the archive that it is put into. */
static bool is_readable(const char *path)
{
	char piece[1 << 13];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t got = fd < 0 ? -1 : 1;

	while (got > 0 || (got < 0 && fd >= 0 && errno == EINTR))
		got = read(fd, piece, sizeof piece);
	if (fd >= 0)
		(void)close(fd); /* only read */
	return !got;
}

/* The session that cannot be copied as a session goes in byte by byte, with its log:
 * whoever mends such files needs them as they are. */
static bool add_as_it_is(struct bundle *bundle, struct fault *fault)
{
	static const char name[] = "damaged-session.weir";
	char log[PATH], log_name[sizeof name + 4];

	if (!is_readable(bundle->place->file))
		return true;
	buffer_format(&bundle->left_out, "session.weir: as it is, it is in %s\n", name);
	if (!archive_add(bundle->archive, name, bundle->place->file, fault))
		return false;
	if (!text_format(log, sizeof log, "%s-wal", bundle->place->file) ||
		!is_readable(log))
		return true;
	(void)text_format(log_name, sizeof log_name, "%s-wal", name); /* fits */
	return archive_add(bundle->archive, log_name, log, fault);
}

/* A part that failed. One that is there all the same is what a damaged session gave,
 * and that damage is what somebody sends it for. */
static bool add_lack(struct bundle *bundle, const struct part *part, const char *path,
	struct fault *fault)
{
	bool there = !access(path, F_OK);

	bundle->damaged |= there;
	bundle->lacks = true;
	if (part == parts && !there)
		return fault_set(fault, "%s could not be made", part->file);
	buffer_format(&bundle->left_out, "%s: %s%s\n", part->file,
		bundle->damaged ? "the session is damaged, " : "",
		there ? "this is what could be read" : "it could not be made");
	return true;
}

/* Whether PART is one that there need not be, and is not. */
static bool is_empty(struct bundle *bundle, const struct part *part)
{
	struct buffer packets = {0};
	struct fault why = {0};
	size_t count = 0;
	bool empty =
		part->optional &&
		evidence_file_of_session(bundle->place->file, &packets, &count, &why) &&
		!count;

	buffer_fini(&packets);
	if (empty)
		buffer_format(&bundle->left_out, "%s: there is none: %s\n", part->file,
			why.text);
	return empty;
}

static bool add_part(
	struct bundle *bundle, const struct part *part, struct fault *fault)
{
	char path[PATH];
	bool done;

	if (bundle->redact && part->private) {
		buffer_format(&bundle->left_out,
			"%s: holds addresses and names that cannot be covered\n",
			part->file);
		return true;
	}
	if (is_empty(bundle, part))
		return true;
	if (!work_path(bundle, part->file, path, fault))
		return false;
	if (make_part(bundle, part, path) != EXIT_DONE) {
		if (!add_lack(bundle, part, path, fault))
			return false;
		if (access(path, F_OK))
			return strcmp(part->file, "session.weir") != 0 ||
			       add_as_it_is(bundle, fault);
	}
	done = archive_add(bundle->archive, part->file, path, fault);
	(void)unlink(path); /* ours, and in the archive */
	return done;
}

static bool write_text(const char *path, const char *text, struct fault *fault)
{
	struct output output;
	struct buffer buffer = {0};
	bool done;

	if (!output_open(&output, path, fault))
		return false;
	buffer_add(&buffer, text, strlen(text));
	done = output_write(&output, &buffer, fault);
	buffer_fini(&buffer);
	return output_close(&output, done, done ? fault : NULL) && done;
}

static bool add_text(
	struct bundle *bundle, const char *name, const char *text, struct fault *fault)
{
	char path[PATH];
	bool done;

	if (!work_path(bundle, "text", path, fault) || !write_text(path, text, fault))
		return false;
	done = archive_add(bundle->archive, name, path, fault);
	(void)unlink(path); /* ours, and in the archive */
	return done;
}

/* Letters, digits and a few signs of the title make the name. */
static void attachment_name(unsigned number, const char *title, char *name)
{
	size_t used;

	(void)text_format(name, PART_NAME, "attachment-%02u-", number); /* fits */
	used = strlen(name);
	for (; *title && used < PART_NAME - 5; title++) {
		bool plain = (*title >= 'a' && *title <= 'z') ||
			     (*title >= 'A' && *title <= 'Z') ||
			     (*title >= '0' && *title <= '9') || *title == '-';

		name[used++] = plain ? *title : '_';
	}
	memcpy(name + used, ".txt", sizeof ".txt");
}

/* The reports hide them, so that what lies beside must do so, too. */
static void learn_people(const struct bundle *bundle, struct redactor *redactor)
{
	char author[AUTHOR_NAME];

	place_author(author, sizeof author);
	report_learn_people(&(struct report_options){
		.author = author, .file = bundle->place->file, .redactor = redactor});
}

static bool add_attachments(struct bundle *bundle, struct fault *fault)
{
	struct store *store = store_open(bundle->place->file, STORE_READ, fault);
	struct session *session = session_new(bundle->place->name, 0);
	struct redactor *redactor = NULL;
	enum redact_level level;
	bool done = store && store_load(store, session, fault);

	if (done && bundle->redact &&
		redact_level_find(bundle->redact, &level, fault)) {
		redactor = redactor_new(level);
		learn_people(bundle, redactor);
		redact_session(redactor, session);
	}
	for (size_t i = 0; done && i < session->note_count; i++) {
		const struct note *note = &session->notes[i];
		char name[PART_NAME];

		if (note->kind != NOTE_ATTACHMENT || !note->body)
			continue;
		attachment_name(++bundle->attachments,
			redact_note(redactor, note, note->text), name);
		done = add_text(
			bundle, name, redact_note(redactor, note, note->body), fault);
	}
	redactor_free(redactor);
	session_free(session);
	store_close(store);
	return done;
}

static bool fill(struct bundle *bundle, struct fault *fault)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!add_part(bundle, &parts[i], fault))
			return false;
	if (!add_attachments(bundle, fault))
		return false;
	return !bundle->left_out.size ||
	       add_text(
		       bundle, "LEFT-OUT.txt", buffer_string(&bundle->left_out), fault);
}

/* Beside the bundle, where there is room for it. */
static bool make_work(struct bundle *bundle, const char *path, struct fault *fault)
{
	const char *slash = strrchr(path, '/');
	size_t length;

	if (!text_format(bundle->work, sizeof bundle->work, "%s.XXXXXX", path))
		return fault_set(fault, "the path of the bundle is too long");
	if (!mkdtemp(bundle->work))
		return fault_errno(
			fault, errno, "cannot make the folder %s", bundle->work);
	(void)text_copy(
		bundle->folder, sizeof bundle->folder, slash ? slash + 1 : path);
	length = strlen(bundle->folder);
	if (length > 7 && !strcmp(bundle->folder + length - 7, ".tar.gz"))
		bundle->folder[length - 7] = 0;
	return true;
}

static bool write_bundle(
	struct bundle *bundle, const struct output *output, struct fault *fault)
{
	struct instant now;
	bool done;

	clock_read(&now);
	bundle->archive = archive_new(output->fd, bundle->folder, now.wall, fault);
	if (!bundle->archive)
		return false;
	done = fill(bundle, fault);
	if (done)
		return archive_end(bundle->archive, fault);
	archive_drop(bundle->archive);
	return false;
}

static bool run_bundle(struct bundle *bundle, const char *path, struct fault *fault)
{
	struct output output;
	bool done;

	if (!output_open(&output, path, fault))
		return false;
	done = make_work(bundle, path, fault);
	if (done) {
		done = write_bundle(bundle, &output, fault);
		(void)rmdir(bundle->work); /* empty: each part is taken away */
	}
	return output_close(&output, done, done ? fault : NULL) && done;
}

static int run(const struct arguments *arguments)
{
	const char *path = argument(arguments, "output");
	static struct bundle bundle; /* too big for the stack */
	static struct place place;
	enum redact_level level;
	struct fault fault;
	bool done;

	bundle.redact = argument(arguments, "redact");
	if (!path || !*path)
		return usage_error(arguments->command, "-o FILE.tar.gz is needed");
	if (bundle.redact && !redact_level_find(bundle.redact, &level, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	if (!place_find(argument(arguments, "session"), &place, &fault))
		return failure(&fault);
	bundle.place = &place;
	done = run_bundle(&bundle, path, &fault);
	if (done && bundle.left_out.size)
		(void)fprintf(stderr, "left out:\n%s", buffer_string(&bundle.left_out));
	buffer_fini(&bundle.left_out);
	if (!done)
		return failure(&fault);
	return bundle.lacks ? EXIT_FAILED : EXIT_DONE;
}

const struct command command_bundle = {
	.name = "bundle",
	.words = "",
	.about = "put everything about a session into one file to send",
	.more = "The report as text, JSON and CSV, all figures as CSV, the session as "
		"one "
		"closed\nfile, the packets behind the findings, attachments, and a "
		"list of "
		"hashes that\nsha256sum -c checks. With --redact the reports and "
		"attachments "
		"are redacted;\nfigures, session and packets hold addresses that "
		"cannot be "
		"covered and are left\nout, which LEFT-OUT.txt and standard error say.",
	.options = {options_session, options_bundle},
	.run = run,
};
