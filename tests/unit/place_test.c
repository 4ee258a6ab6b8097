/* Where sessions live: names, folders that cannot be trusted, mount tables. */
#include "config.h"

#include "app/folder.h"
#include "app/place.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static char top[64];

static const char *in_top(const char *rest)
{
	static char paths[4][128];
	static size_t next;
	char *path = paths[next++ % 4];

	(void)snprintf(path, sizeof paths[0], "%s%s", top, rest);
	return path;
}

static int make_top(void **state)
{
	(void)state;
	(void)snprintf(top, sizeof top, "/tmp/weir-place-XXXXXX");
	if (!mkdtemp(top))
		return -1;
	return setenv("XDG_STATE_HOME", in_top("/state"), 1) |
	       setenv("XDG_RUNTIME_DIR", in_top("/run"), 1) |
	       mkdir(in_top("/run"), 0700);
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int drop_top(void **state)
{
	(void)state;
	return nftw(top, drop, 8, FTW_DEPTH | FTW_PHYS);
}

static void touch(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
}

static void names_are_plain(void **state)
{
	char longest[66];

	(void)state;
	memset(longest, 'a', sizeof longest);
	longest[64] = 0;
	assert_true(place_name_valid("hba2nic"));
	assert_true(place_name_valid("A.b_c-9"));
	assert_true(place_name_valid(longest));
	longest[64] = 'a';
	longest[65] = 0;
	assert_false(place_name_valid(longest));
	assert_false(place_name_valid(""));
	assert_false(place_name_valid(".hidden"));
	assert_false(place_name_valid("-x"));
	assert_false(place_name_valid("a b"));
	assert_false(place_name_valid("a/b"));
	assert_false(place_name_valid("a\033[1m"));
	assert_false(place_name_valid("a.weir"));
}

static void a_new_place_has_a_folder_of_its_own(void **state)
{
	struct place place;
	struct stat status;
	struct fault fault = {0};
	bool moved;

	(void)state;
	assert_true(place_new("one", &place, &moved, &fault));
	assert_false(moved || place.exists || place.running);
	assert_string_equal(place.file, in_top("/state/weir/one.weir"));
	assert_string_equal(place.socket, in_top("/run/weir/one.sock"));
	assert_int_equal(stat(place.folder, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
}

static void a_link_instead_of_the_folder_is_refused(void **state)
{
	struct fault fault = {0};

	(void)state;
	assert_int_equal(mkdir(in_top("/real"), 0700), 0);
	assert_int_equal(symlink(in_top("/real"), in_top("/link")), 0);
	assert_false(folder_make(in_top("/link"), &fault));
	assert_non_null(strstr(fault.text, "link"));
	/* one's own link on the way is fine */
	assert_true(folder_make(in_top("/link/below"), &fault));
}

static void a_folder_that_others_may_change_is_refused(void **state)
{
	struct fault fault = {0};

	(void)state;
	assert_int_equal(mkdir(in_top("/open"), 0700), 0);
	assert_int_equal(chmod(in_top("/open"), 0777), 0);
	assert_false(folder_check(in_top("/open"), &fault));
	assert_false(folder_make(in_top("/open/below"), &fault));
	assert_non_null(strstr(fault.text, "others"));
	assert_int_equal(chmod(in_top("/open"), 01777), 0);
	assert_true(folder_make(in_top("/open/below"), &fault));
	touch(in_top("/file"));
	assert_false(folder_check(in_top("/file"), &fault));
}

static void a_foreign_folder_is_refused(void **state)
{
	struct fault fault = {0};

	(void)state;
	if (geteuid() != 0) {
		print_message("only root can give folders away\n");
		skip();
	}
	assert_int_equal(mkdir(in_top("/theirs"), 0700), 0);
	assert_int_equal(chown(in_top("/theirs"), 12345, 12345), 0);
	assert_false(folder_check(in_top("/theirs"), &fault));
	assert_non_null(strstr(fault.text, "12345"));
	assert_false(folder_make(in_top("/theirs/below"), &fault));
	assert_int_equal(access(in_top("/theirs/below"), F_OK), -1);
}

static void the_mount_above_all_others_counts(void **state)
{
	static const char table[] =
		"21 26 0:20 / /proc rw,relatime - proc proc rw\n"
		"26 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
		"30 26 0:30 / /home rw shared:7 master:1 - nfs4 filer:/home rw\n"
		"31 30 0:31 / /home/local rw - xfs /dev/sdb rw\n"
		"32 26 0:32 / /mnt/two\\040words rw - cifs //a/b rw\n"
		"33 26 0:33 / /over rw - nfs f:/o rw\n"
		"34 33 0:34 / /over rw - tmpfs tmpfs rw\n"
		"broken line\n";
	static const struct {
		const char *path;
		const char *type;
	} rows[] = {{"/var/lib/weir", "ext4"}, {"/home/me/.local/state", "nfs4"},
		{"/home", "nfs4"}, {"/homeless", "ext4"}, {"/home/local/x", "xfs"},
		{"/mnt/two words/x", "cifs"}, {"/over/x", "tmpfs"}, {"/", "ext4"}};
	char type[32];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_true(folder_type(table, rows[i].path, type, sizeof type));
		assert_string_equal(type, rows[i].type);
	}
	assert_false(folder_type("", "/", type, sizeof type));
	assert_true(folder_type_is_network("nfs4"));
	assert_true(folder_type_is_network("fuse.sshfs"));
	assert_false(folder_type_is_network("ext4"));
	assert_false(folder_type_is_network("fuseblk"));
}

static void a_lock_has_one_holder(void **state)
{
	struct fault fault = {0};
	bool busy;
	int first = folder_lock(in_top("/lock"), &busy, &fault);

	(void)state;
	assert_true(first >= 0);
	assert_int_equal(folder_lock(in_top("/lock"), &busy, &fault), -1);
	assert_true(busy);
	assert_int_equal(close(first), 0);
	first = folder_lock(in_top("/lock"), &busy, &fault);
	assert_true(first >= 0);
	assert_int_equal(close(first), 0);
	assert_int_equal(symlink(in_top("/lock"), in_top("/lock2")), 0);
	assert_int_equal(folder_lock(in_top("/lock2"), &busy, &fault), -1);
	assert_false(busy);
}

static void a_lock_that_was_removed_is_no_lock(void **state)
{
	struct fault fault = {0};
	bool busy;
	int first = folder_lock(in_top("/gone.lock"), &busy, &fault);
	int second;

	(void)state;
	assert_true(first >= 0);
	assert_int_equal(unlink(in_top("/gone.lock")), 0);
	second = folder_lock(in_top("/gone.lock"), &busy, &fault);
	assert_true(second >= 0); /* another file: the first one holds nothing now */
	assert_int_equal(folder_lock(in_top("/gone.lock"), &busy, &fault), -1);
	assert_true(busy);
	assert_int_equal(close(first), 0);
	folder_unlock(in_top("/gone.lock"), second);
	assert_int_equal(access(in_top("/gone.lock"), F_OK), -1);
}

static void only_the_file_itself_is_recorded_into(void **state)
{
	struct fault fault = {0};
	struct place place;
	bool moved;

	(void)state;
	assert_true(place_new("real", &place, &moved, &fault));
	touch(place.file);
	assert_int_equal(symlink(place.file, in_top("/state/weir/alias.weir")), 0);
	assert_false(place_new("alias", &place, &moved, &fault));
	assert_non_null(strstr(fault.text, "is a link"));
	assert_true(place_find("alias", &place, &fault)); /* reading harms nobody */
	assert_int_equal(mkdir(in_top("/state/weir/folder.weir"), 0700), 0);
	assert_false(place_new("folder", &place, &moved, &fault));
	assert_int_equal(rmdir(in_top("/state/weir/folder.weir")), 0);
	assert_int_equal(unlink(in_top("/state/weir/alias.weir")), 0);
	assert_int_equal(unlink(in_top("/state/weir/real.weir")), 0);
}

static void a_socket_without_a_listener_is_not_running(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	assert_false(place_answers(in_top("/s")));
	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s/s", top);
	assert_int_equal(
		bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
	assert_false(place_answers(in_top("/s")));
	assert_int_equal(listen(fd, 1), 0);
	assert_true(place_answers(in_top("/s")));
	assert_int_equal(close(fd), 0);
	assert_false(place_answers(in_top("/s")));
}

static void sessions_are_found_by_name_path_and_age(void **state)
{
	struct fault fault = {0};
	struct place place;
	struct place *list;
	bool moved;

	(void)state;
	assert_false(place_find(NULL, &place, &fault));
	assert_true(place_new("older", &place, &moved, &fault));
	touch(place.file);
	assert_int_equal(utimensat(AT_FDCWD, place.file,
				 (const struct timespec[2]){{1000, 0}, {1000, 0}}, 0),
		0);
	assert_true(place_new("newer", &place, &moved, &fault));
	touch(place.file);
	touch(in_top("/state/weir/bad name.weir"));

	assert_int_equal(place_list(&list, true), 2);
	assert_string_equal(list[0].name, "newer");
	assert_string_equal(list[1].name, "older");
	free(list);
	assert_true(place_find(NULL, &place, &fault));
	assert_string_equal(place.name, "newer");
	assert_true(place_find("older", &place, &fault));
	assert_true(place_find(in_top("/state/weir/older.weir"), &place, &fault));
	assert_string_equal(place.name, "older");
	assert_string_equal(place.socket, in_top("/run/weir/older.sock"));

	touch(in_top("/elsewhere.weir"));
	assert_true(place_find(in_top("/elsewhere.weir"), &place, &fault));
	assert_string_equal(place.name, "elsewhere");
	assert_string_equal(place.socket, "");
	assert_false(place_find("nothing", &place, &fault));
	assert_non_null(strstr(fault.text, "weir list"));
	assert_false(place_find("./nothing.weir", &place, &fault));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_plain),
		cmocka_unit_test(a_new_place_has_a_folder_of_its_own),
		cmocka_unit_test(a_link_instead_of_the_folder_is_refused),
		cmocka_unit_test(a_folder_that_others_may_change_is_refused),
		cmocka_unit_test(a_foreign_folder_is_refused),
		cmocka_unit_test(the_mount_above_all_others_counts),
		cmocka_unit_test(a_lock_has_one_holder),
		cmocka_unit_test(a_lock_that_was_removed_is_no_lock),
		cmocka_unit_test(only_the_file_itself_is_recorded_into),
		cmocka_unit_test(a_socket_without_a_listener_is_not_running),
		cmocka_unit_test(sessions_are_found_by_name_path_and_age),
	};

	return cmocka_run_group_tests(tests, make_top, drop_top);
}
