/* libFuzzer: what a session file or a recorder's socket might hold. The bytes are a
 * row of ticks, each behind its size in two bytes, low one first; all of them go
 * through the decoder and, where it takes them, into a session with a window. */
#include "config.h"

#include "core/session.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory of its own size, so that a read behind its end is seen. */
static void one_tick(struct session *session, struct tick_decoder *decoder,
	const uint8_t *data, size_t size)
{
	uint8_t *exact = malloc(size ? size : 1);
	bool have;

	if (!exact)
		abort();
	memcpy(exact, data, size);
	if (tick_decode(decoder, exact, size, &have, NULL) && have)
		session_put(session, decoder);
	free(exact);
}

/* Text for people is clean, and no figure is made of nothing. */
static void judge(const struct session *session)
{
	for (size_t i = 0; i < session->subject_count; i++)
		for (const char *p = session->subjects[i].name; *p; p++)
			if (*p > 0 && *p < ' ')
				abort();
	for (size_t i = 0; i < session->track_count; i++) {
		(void)session_summary(session, 1, i);
		if (!session->tracks[i].now.why && !(session->tracks[i].now.value >= 0))
			abort();
	}
	(void)session_coverage(session, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct window window = {.id = 1, .name = "x", .to = WINDOW_OPEN};
	struct session *session = session_new("fuzz", 4);
	struct tick_decoder decoder = {.started = false};

	(void)session_window(session, &window);
	while (size >= 2) {
		size_t length = data[0] | (size_t)data[1] << 8;

		data += 2;
		size -= 2;
		length = length < size ? length : size;
		one_tick(session, &decoder, data, length);
		data += length;
		size -= length;
	}
	judge(session);
	tick_decoder_fini(&decoder);
	session_free(session);
	return 0;
}
