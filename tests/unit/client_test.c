/* What a viewer makes of the answers of a recorder, which is this test. */
#include "config.h"

#include "app/client.h"

#include "base/text.h"
#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

/* A connected pair: our end, and the viewer. */
struct pair {
	int listening, fd;
	struct client *client;
};

static void connect_pair(struct pair *pair)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct fault fault = {0};

	assert_true(text_copy(
		address.sun_path, sizeof address.sun_path, folder_path("socket")));
	(void)unlink(address.sun_path); /* of the test before */
	pair->listening = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(pair->listening, (const struct sockaddr *)&address,
				 sizeof address),
		0);
	assert_int_equal(listen(pair->listening, 1), 0);
	pair->client = client_connect(address.sun_path, getuid(), &fault);
	assert_non_null(pair->client);
	pair->fd = accept(pair->listening, NULL, NULL);
	assert_true(pair->fd >= 0);
}

static void part(struct pair *pair)
{
	client_free(pair->client);
	(void)close(pair->fd);
	(void)close(pair->listening);
}

/* The viewer's answer to LINE. */
static const struct client_answer *told(struct pair *pair, const char *line)
{
	ssize_t size = (ssize_t)strlen(line);

	assert_int_equal(write(pair->fd, line, (size_t)size), size);
	assert_int_equal(client_next(pair->client, NULL), CLIENT_ANSWER);
	return client_answer(pair->client);
}

static void saved_is_said_of_the_mark_that_was_saved(void **state)
{
	struct pair pair;

	(void)state;
	connect_pair(&pair);
	assert_string_equal(told(&pair, "marked 7 BEFORE\n")->text, "BEFORE");
	assert_string_equal(told(&pair, "marked 8 AFTER\n")->text, "AFTER");
	assert_true(told(&pair, "error no\n")->error);
	assert_string_equal(told(&pair, "saved 7\n")->text, "BEFORE");
	assert_true(client_answer(pair.client)->saved);
	assert_false(client_answer(pair.client)->error);
	assert_string_equal(told(&pair, "saved 8\n")->text, "AFTER");
	part(&pair);
}

/* A window and a note may have one number; the disk takes them in their order. */
static void of_two_with_one_number_the_older_is_saved_first(void **state)
{
	struct pair pair;

	(void)state;
	connect_pair(&pair);
	(void)told(&pair, "marked 7 BEFORE\n");
	(void)told(&pair, "marked 7 noted\n");
	assert_string_equal(told(&pair, "saved 7\n")->text, "BEFORE");
	assert_string_equal(told(&pair, "saved 7\n")->text, "noted");
	part(&pair);
}

static void what_nobody_asked_to_save_is_no_answer(void **state)
{
	struct pair pair;

	(void)state;
	connect_pair(&pair);
	assert_int_equal(write(pair.fd, "saved 7\n", 8), 8);
	assert_int_equal(client_next(pair.client, NULL), CLIENT_NOTHING);
	part(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saved_is_said_of_the_mark_that_was_saved),
		cmocka_unit_test(of_two_with_one_number_the_older_is_saved_first),
		cmocka_unit_test(what_nobody_asked_to_save_is_no_answer),
	};

	return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
