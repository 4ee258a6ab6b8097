/* Whether a recording dies at logout, by settings as systemd reads them. */
#include "config.h"

#include "app/logout.h"
#include "base/text.h"
#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const all[] = {"r", "r/proc", "r/proc/42", "r/etc", "r/etc/systemd",
	"r/etc/systemd/logind.conf.d", "r/usr", "r/usr/lib", "r/usr/lib/systemd",
	"r/usr/lib/systemd/logind.conf.d"};

static void put(const char *name, const char *text)
{
	folder_write(name, text, strlen(text));
}

static int begin(void **state)
{
	int status = folder_begin(state);

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (mkdir(folder_path(all[i]), 0700))
			return -1;
	put("r/proc/42/cgroup", "0::/user.slice/user-7.slice/session-3.scope\n");
	return status;
}

static bool kills(void)
{
	return logout_kills(folder_path("r"), 7, 42);
}

static void without_a_setting_it_lives(void **state)
{
	(void)state;
	assert_false(kills());
	put("r/etc/systemd/logind.conf", "[Login]\n#KillUserProcesses=yes\n");
	assert_false(kills());
}

static void the_setting_is_found_whatever_its_blanks(void **state)
{
	(void)state;
	put("r/etc/systemd/logind.conf", "[Login]\n KillUserProcesses = Yes \n");
	assert_true(kills());
	assert_false(logout_kills(folder_path("r"), 0, 42)); /* root is left out */
}

static void a_later_file_wins_and_one_of_etc_replaces_its_namesake(void **state)
{
	(void)state;
	put("r/usr/lib/systemd/logind.conf.d/20-x.conf", "KillUserProcesses=no\n");
	assert_false(kills());
	put("r/etc/systemd/logind.conf.d/20-x.conf", "KillExcludeUsers=root\n");
	assert_true(kills());
	put("r/etc/systemd/logind.conf.d/30-y.conf", "KillUserProcesses=0\n");
	assert_false(kills());
	put("r/usr/lib/systemd/logind.conf.d/40-z.conf", "KillUserProcesses=1");
	assert_true(kills());
}

static void what_is_not_in_a_login_does_not_go_with_it(void **state)
{
	(void)state;
	put("r/proc/42/cgroup", "0::/system.slice/weir@night.service\n");
	assert_false(kills());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_setting_it_lives),
		cmocka_unit_test(the_setting_is_found_whatever_its_blanks),
		cmocka_unit_test(
			a_later_file_wins_and_one_of_etc_replaces_its_namesake),
		cmocka_unit_test(what_is_not_in_a_login_does_not_go_with_it),
	};

	return cmocka_run_group_tests(tests, begin, folder_end);
}
