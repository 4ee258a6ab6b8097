/* The configuration file: what its lines mean, and that a wrong one is named with its
 * place and the way out. */
#include "config.h"

#include "app/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool parse(struct settings *settings, const char *text, struct fault *fault)
{
	static char copy[1000];

	*settings = (struct settings){.bell = false};
	(void)snprintf(copy, sizeof copy, "%s", text);
	return settings_parse(settings, "weir.conf", copy, fault);
}

static void lines_are_settings(void **state)
{
	static const char text[] = "# thresholds\n"
				   "\n"
				   "alert = disk.queue ^sd[ab]$ > 32 for 10s\n"
				   "  alert=disk.read.await mpath > 20ms\r\n"
				   "alert = net.rx.bytes eno1 < 1.5M for 1m\n"
				   "bell = on\n"
				   "ring = 64\nstall = 7.5\n"
				   "target = disk.queue 20%\n"
				   "target = disk.read.await 12.5%\n"
				   "target = disk.queue 30%\n"
				   "on_alert = /bin/sh\n";
	struct settings settings;
	struct fault fault;

	(void)state;
	if (!parse(&settings, text, &fault))
		fail_msg("%s", fault.text);
	assert_int_equal(settings.alerts.count, 3);
	assert_string_equal(
		metric_at(settings.alerts.rules[0].metric)->id, "disk.queue");
	assert_string_equal(settings.alerts.rules[0].pattern, "^sd[ab]$");
	assert_true(settings.alerts.rules[0].limit == 32.0);
	assert_int_equal(settings.alerts.rules[0].hold, 10 * NSEC_PER_SEC);
	assert_false(settings.alerts.rules[0].below);
	assert_true(settings.alerts.rules[1].limit > 0.0199);
	assert_true(settings.alerts.rules[1].limit < 0.0201);
	assert_int_equal(settings.alerts.rules[1].hold, 0);
	assert_true(settings.alerts.rules[2].below);
	assert_true(settings.alerts.rules[2].limit == 1.5e6);
	assert_true(settings.bell);
	assert_int_equal(settings.ring, 64);
	assert_int_equal(settings.stall, 7500 * NSEC_PER_MSEC);
	assert_string_equal(settings.on_alert, "/bin/sh");
	assert_int_equal(settings.targets.count, 2); /* the later one counts */
	assert_float_equal(settings.targets.list[0].share, 0.3, 1e-12);
	assert_float_equal(settings.targets.list[1].share, 0.125, 1e-12);
	settings_fini(&settings);
}

static void nothing_is_on_by_itself(void **state)
{
	struct settings settings;

	(void)state;
	assert_true(parse(&settings, "", NULL));
	assert_int_equal(settings.alerts.count, 0);
	assert_false(settings.bell);
	assert_string_equal(settings.on_alert, "");
	settings_fini(&settings);
}

static void a_wrong_line_is_named_with_the_way_out(void **state)
{
	static const struct {
		const char *line, *says;
	} rows[] = {
		{"alert = disk.queu sda > 3", "did you mean 'disk.queue'?"},
		{"alert = disk.queue sda 3", "METRIC DEVICE > LIMIT"},
		{"alert = disk.queue sda >= 3", "METRIC DEVICE > LIMIT"},
		{"alert = disk.queue sda > three", "'three' is no limit"},
		{"alert = disk.queue sda > 3x", "'3x' is no limit"},
		{"alert = disk.queue sda > -3", "'-3' is no limit"},
		{"alert = disk.queue sda > 3 for", "only 'for DURATION'"},
		{"alert = disk.queue sda > 3 for ever", "no duration"},
		{"alert = disk.queue sda > 3 10s", "only 'for DURATION'"},
		{"alert = disk.queue [ > 3", "no pattern for devices"},
		{"alert", "KEY = VALUE"},
		{"colour = red", "there are: alert, bell, on_alert"},
		{"bell = loud", "on or off"}, {"ring = 0", "1 to 512"},
		{"stall = never", "0.5 to 3600"},
		{"target = disk.queue", "METRIC PERCENT%"},
		{"target = disk.queue 20% 30%", "METRIC PERCENT%"},
		{"target = disk.queu 20%", "did you mean 'disk.queue'?"},
		{"target = disk.queue 20", "'20' is no target"},
		{"target = disk.queue -5%", "'-5%' is no target"},
		{"target = disk.queue 0%", "'0%' is no target"},
		{"target = disk.queue 1e9%", "is no target"},
		{"target = disk.queue 100%", "cannot fall by 100% or more"},
		{"ring = much", "no ring of a capture"},
		{"on_alert = mail me", "full path of one program"},
		{"on_alert = /nowhere/at/all", "/nowhere/at/all"},
		{"on_alert = /bin/sh -c evil", "/bin/sh -c evil"}, /* no shell line */
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[200];
		struct settings settings;
		struct fault fault = {.text = ""};

		(void)snprintf(text, sizeof text, "\n# ok\n%s\n", rows[i].line);
		assert_false(parse(&settings, text, &fault));
		if (strncmp(fault.text, "weir.conf, line 3: ", 19) != 0 ||
			!strstr(fault.text, rows[i].says))
			fail_msg("%s: %s", rows[i].line, fault.text);
		settings_fini(&settings);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_settings),
		cmocka_unit_test(nothing_is_on_by_itself),
		cmocka_unit_test(a_wrong_line_is_named_with_the_way_out),
	};

	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
