/* libFuzzer: session files. The bytes change a sound one, which is made here: each
 * change is two bytes of place, one of length, and what is written there; a length of
 * 255 cuts the file. Whatever comes of it is read as weir report and weir export read
 * it, through a file system in memory: files and their locks took most of the time. */
#include "config.h"

#include "base/text.h"
#include "core/session.h"
#include "store/store.h"

#include "../unit/recording.h"
#include "memory_vfs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	SOUND_MOST = 1 << 18,
	WRITE_FORMAT = 18, /* bytes of the header: 2 asks for a log beside the file */
	READ_FORMAT = 19
};

/* Any file that is there will do: what is in it comes from memory. */
static const char path[] = "/proc/self/exe";

static uint8_t sound[SOUND_MOST], changed[SOUND_MOST];
static size_t sound_size;
static struct store *made;

static void keep_tick(
	struct recording *recording, const struct buffer *bytes, bool full)
{
	if (!store_tick(made, recording->tick.at, full, bytes->data, bytes->size, NULL))
		abort();
}

static void fill(struct recording *recording)
{
	static const struct fact fact = {.kind = KIND_DISK,
		.name = "sda",
		.id = "wwn-1",
		.key = "scheduler",
		.value = "none"};
	uint32_t disk;

	recording_init(recording, 8);
	recording->each = keep_tick;
	disk = recording_subject(recording, KIND_DISK, "sda", "data", "a disk");
	for (unsigned raw = 0; raw < 12; raw++)
		(void)recording_series(recording, disk, raw, raw * 3);
	(void)recording_window(recording, ROLE_BEFORE, "BEFORE", 2, 8);
	(void)recording_window(recording, ROLE_AFTER, "AFTER", 10, 0);
	/* so long that it is made from minutes */
	(void)recording_window(recording, ROLE_OTHER, "LONG", 1, 20000);
	recording_ticks(recording, 12);
	recording_gap(recording, GAP_RUN, 100 * NSEC_PER_SEC);
	recording_ticks(recording, 12);
	recording_note(recording, NOTE_ATTACHMENT, 7, "title", "line\nline\n");
	(void)session_fact(recording->session, &fact);
}

static bool write_packets(void)
{
	static const uint8_t bytes[40] = {0x45, [9] = 6};
	struct evidence_packet packet = {.linktype = 101, .interface = "eth0"};
	struct evidence_batch batch = {0};
	bool good;

	packet.entry = (struct evidence_entry){.time = 1000,
		.data = bytes,
		.captured = sizeof bytes,
		.seen = {5},
		.length = sizeof bytes};
	for (int i = 0; i < 3; i++)
		evidence_batch_add(&batch, &packet);
	good = store_evidence(made, NSEC_PER_SEC, &batch, NULL);
	evidence_batch_fini(&batch);
	return good;
}

static void write_all(struct recording *recording)
{
	struct session *session = recording->session;
	bool good = true, more;

	for (size_t i = 0; i < session->run_count; i++)
		good &= store_run(made, &session->runs[i], NULL);
	for (size_t i = 0; i < session->note_count; i++)
		good &= store_note(made, &session->notes[i], NULL);
	if (!good || !store_windows(made, &session->windows, NULL) ||
		!store_facts(made, &session->facts, NULL) || !write_packets() ||
		!store_follow(made, 1000, &more, NULL) || !store_sync(made, NULL))
		abort();
}

static void load_sound(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	sound_size = fd < 0 ? 0 : (size_t)read(fd, sound, sizeof sound);
	if (sound_size <= READ_FORMAT || sound_size >= sizeof sound)
		abort();
	(void)close(fd); /* only read */
	sound[WRITE_FORMAT] = sound[READ_FORMAT] = 1;
}

static void make_sound(void)
{
	struct recording recording;
	char name[80];

	if (!text_format(name, sizeof name, "/dev/shm/weir-fuzz-%d", (int)getpid()))
		abort();
	(void)unlink(name); /* of a process of that number that died */
	made = store_open(name, STORE_CREATE, NULL);
	if (!made)
		abort();
	fill(&recording);
	write_all(&recording);
	recording_fini(&recording);
	store_close(made);
	load_sound(name);
	(void)unlink(name);
	if (!memory_vfs_begin())
		abort();
}

static size_t change(const uint8_t *data, size_t size)
{
	size_t end = sound_size;

	memcpy(changed, sound, sound_size);
	while (size >= 3) {
		size_t at = (data[0] | (size_t)data[1] << 8) * 4 % sound_size;
		size_t length = data[2];

		data += 3;
		size -= 3;
		if (length == 255) {
			end = at;
			continue;
		}
		length = length < size ? length : size;
		length = length < sound_size - at ? length : sound_size - at;
		memcpy(changed + at, data, length);
		data += length;
		size -= length;
	}
	return end;
}

/* Each byte is looked at: one that is not there is seen. */
static void take_packet(
	void *context, const struct evidence_packet *packet, const char *classes)
{
	unsigned *sum = context;

	for (uint32_t i = 0; i < packet->entry.captured; i++)
		*sum += packet->entry.data[i];
	*sum += (unsigned)strlen(classes);
}

/* As a report reads it. */
static void sum_it_up(struct store *store)
{
	struct session *session = session_new("fuzz", 0);
	uint32_t ids[WINDOW_MAX];

	if (store_load(store, session, NULL)) {
		for (size_t i = 0; i < session->windows.count; i++)
			ids[i] = session->windows.list[i].id;
		(void)store_sum_up(store, session, ids, session->windows.count, NULL);
	}
	session_free(session);
}

static void read_it(void)
{
	static unsigned sum;
	struct session *session = session_new("fuzz", 16);
	struct store *store = store_open(path, STORE_READ, NULL);
	nsec first, last;

	if (store)
		sum_it_up(store);
	if (store)
		(void)store_evidence_each(store, take_packet, &sum, NULL);
	if (store && store_load(store, session, NULL)) {
		(void)store_span(store, &first, &last);
		(void)store_ended_well(store, session);
		(void)store_replay(store, INT64_MIN, INT64_MAX, session, NULL);
		for (size_t i = 0; i < session->windows.count; i++)
			(void)session_coverage(session, session->windows.list[i].id);
	}
	store_close(store);
	session_free(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!sound_size)
		make_sound();
	memory_vfs_file(changed, change(data, size));
	read_it();
	return 0;
}
