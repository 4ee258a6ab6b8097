/* Network mounts below the disks, storage peers below the cards: the figures drawn. */
#include "config.h"

#include "../golden/stage.h"

#include "tui/screen.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void mount(struct stage *stage, const char *name, const char *point)
{
	uint32_t subject = stage_subject(stage, KIND_MOUNT, name, point);

	stage_set(stage, subject, RAW_MOUNT_INFLIGHT, 16);
	stage_add(stage, subject, RAW_MOUNT_READ_BYTES, 123000000);
	stage_add(stage, subject, RAW_MOUNT_READ_OPS, 400);
	stage_add(stage, subject, RAW_MOUNT_READ_EXECUTE_MS, 3000);
	stage_why(stage, subject, RAW_MOUNT_ERRORS, WHY_UNSUPPORTED);
}

static void peer(struct stage *stage, const char *name)
{
	uint32_t subject = stage_subject(stage, KIND_PEER, name, "");

	stage_add(stage, subject, RAW_PEER_RX_BYTES, 25000000);
	stage_add(stage, subject, RAW_PEER_RETRANS_SEGS, 7);
	stage_set(stage, subject, RAW_PEER_RTT_US, 1250);
	stage_set(stage, subject, RAW_PEER_CONNECTIONS, 4);
}

static void session(struct stage *stage, bool up)
{
	uint32_t subject =
		stage_subject(stage, KIND_TRANSPORT, "192.0.2.9:3260 disk1", "");

	stage_set(stage, subject, RAW_TRANSPORT_UP, up);
	stage_set(stage, subject, RAW_TRANSPORT_STATE, !up);
	stage_add(stage, subject, RAW_TRANSPORT_FAILURES, !up);
	stage_set(stage, subject, RAW_TRANSPORT_PENDING, up ? 5 : 0);
	stage_add(stage, subject, RAW_TRANSPORT_WEIGHTED_MS, up ? 5000 : 0);
	stage_add(stage, subject, RAW_TRANSPORT_READ_OPS, up ? 1000 : 0);
	stage_add(stage, subject, RAW_TRANSPORT_READ_MS, up ? 5000 : 0);
	stage_add(stage, subject, RAW_TRANSPORT_WRITE_OPS, 0);
	stage_add(stage, subject, RAW_TRANSPORT_READ_SECTORS, up ? 64000 : 0);
}

static const char *drawn(struct stage *stage, int pane, int rows, struct buffer *out)
{
	struct status status = {.recording = true, .viewers = 1};
	struct canvas canvas = {0};
	struct view view;

	view_init(&view);
	view.focus = pane;
	view.zoom = pane >= 0;
	canvas_resize(&canvas, rows, 132);
	screen_draw(stage->session, &view, &status, &canvas);
	buffer_clear(out);
	canvas_print(&canvas, out, false);
	canvas_fini(&canvas);
	view_fini(&view);
	return buffer_string(out);
}

static void says(const char *screen, const char *text)
{
	if (!strstr(screen, text))
		fail_msg("not on the screen: %s\n%s", text, screen);
}

static void mounts_stand_below_the_disks(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};
	const char *screen;

	(void)memory;
	stage_init(&stage, "nfs");
	stage_play(&stage, 60);
	screen = drawn(&stage, -1, 40, &out);
	assert_null(strstr(screen, "MOUNTS")); /* there are none */
	for (int i = 0; i < 3; i++) {
		mount(&stage, "filer:/vol/mail", "/var/mail");
		stage_tick(&stage, 1, GAP_NONE);
	}
	screen = drawn(&stage, -1, 40, &out);
	says(screen, "   NETWORK MOUNTS");
	/* in flight; 123 MB/s; 3000 ms for 400 reads; nobody reads the writes */
	says(screen, "16     123");
	says(screen, "7.50");
	says(screen, "?\n"); /* errors, which this kernel does not count */
	says(screen, "mpatha");
	buffer_fini(&out);
	stage_fini(&stage);
}

/* A share and its parts; the server stops answering. */
static void share(struct stage *stage, uint64_t answers)
{
	uint32_t subject =
		stage_subject(stage, KIND_MOUNT, "//filer/data", "/srv/data");
	uint32_t link = stage_subject(stage, KIND_CONNECTION, "filer #1", "");
	uint32_t call = stage_subject(stage, KIND_CALL, "filer WRITE", "");

	stage_set(stage, subject, RAW_MOUNT_INFLIGHT, 5);
	stage_add(stage, subject, RAW_MOUNT_ANSWERS, answers);
	stage_add(stage, subject, RAW_MOUNT_WRITE_BYTES, 1000000 * answers);
	stage_set(stage, subject, RAW_MOUNT_SIGNED, 1);
	stage_set(stage, subject, RAW_MOUNT_ENCRYPTED, 0);
	stage_set(stage, link, RAW_CONNECTION_CREDITS, 512);
	stage_add(stage, call, RAW_CALL_OPS, 10);
	stage_add(stage, call, RAW_CALL_RTT_US, 40000);
}

static void a_mount_shows_its_protection_its_stalls_and_its_parts(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};
	const char *screen;

	(void)memory;
	stage_init(&stage, "smb");
	stage_play(&stage, 60);
	for (int i = 0; i < 3; i++) {
		share(&stage, 10);
		stage_tick(&stage, 1, GAP_NONE);
	}
	screen = drawn(&stage, -1, 40, &out);
	says(screen, "   NETWORK MOUNTS  busiest core ");
	says(screen, "                  signed");
	assert_null(strstr(screen, "OF MOUNTS")); /* only in the zoomed pane */
	for (int i = 0; i < 5; i++) {
		share(&stage, 0);
		stage_tick(&stage, 1, GAP_NONE);
	}
	says(drawn(&stage, -1, 40, &out), "5 STALL 5s");
	screen = drawn(&stage, PANE_DISK, 40, &out);
	says(screen, "CONNECTIONS OF MOUNTS");
	says(screen, "512");
	says(screen, "OPERATIONS OF MOUNTS");
	says(screen, "4.00"); /* ms */
	buffer_fini(&out);
	stage_fini(&stage);
}

static void absent(struct stage *stage, const char *source, const char *value)
{
	const struct fact fact = {.at = stage->session->last.at,
		.kind = KIND_SOURCE,
		.name = source,
		.id = "",
		.key = FACT_NOTHING,
		.value = value,
		.why = *value ? WHY_NONE : WHY_ABSENT};

	assert_true(session_fact(stage->session, &fact));
}

static void what_a_zoomed_pane_has_none_of_says_why(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};
	const char *screen;

	(void)memory;
	stage_init(&stage, "absent");
	stage_play(&stage, 60);
	absent(&stage, "mounts", "absent: no NFS mount is there");
	absent(&stage, "shares", "denied: the file may not be read");
	absent(&stage, "fc", "absent: no FC adapter is there");
	screen = drawn(&stage, PANE_DISK, 24, &out);
	says(screen, "   no NFS mount is there");
	says(screen, "   the file may not be read");
	assert_null(strstr(screen, "FC adapter"));
	screen = drawn(&stage, PANE_NET, 24, &out);
	says(screen, "   no FC adapter is there");
	assert_null(strstr(screen, "NFS"));
	screen = drawn(&stage, -1, 24, &out);
	assert_null(strstr(screen, "NFS"));
	absent(&stage, "mounts", "");
	screen = drawn(&stage, PANE_DISK, 24, &out);
	assert_null(strstr(screen, "NFS"));
	buffer_fini(&out);
	stage_fini(&stage);
}

static void peers_stand_in_the_zoomed_network_pane(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};
	const char *screen;
	static const char name[] = "10.1.0.20:3260";

	(void)memory;
	stage_init(&stage, "iscsi");
	stage_play(&stage, 60);
	for (int i = 0; i < 3; i++) {
		peer(&stage, name);
		stage_tick(&stage, 1, GAP_NONE);
	}
	assert_null(strstr(drawn(&stage, -1, 40, &out), name));
	screen = drawn(&stage, PANE_NET, 40, &out);
	says(screen, "STORAGE PEERS");
	says(screen, name);
	says(screen, "200M"); /* 25 MB/s are 200 Mb/s */
	says(screen, "1.25"); /* ms */
	buffer_fini(&out);
	stage_fini(&stage);
}

static void said(
	struct stage *stage, const char *name, const char *key, const char *value)
{
	struct fact fact = {
		.kind = KIND_DISK, .name = name, .id = "", .key = key, .value = value};

	assert_true(session_fact(stage->session, &fact));
}

/* mpatha of the stage over sdb and sda, where sda alone moves. */
static void paths_stand_below_their_map_and_say_how_they_are_reached(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};
	const char *screen;
	uint32_t sda;

	(void)memory;
	stage_init(&stage, "paths");
	stage_play(&stage, 60);
	said(&stage, "dm-0", "path", "multipath > sda sdb");
	said(&stage, "dm-0", "below", "sda sdb");
	said(&stage, "sda", "path_of", "dm-0");
	said(&stage, "sdb", "path_of", "dm-0");
	screen = drawn(&stage, PANE_DISK, 40, &out);
	says(screen, "mpatha");
	says(screen, "\n `-sda");
	assert_true(strstr(screen, "`-sda") < strstr(screen, "`-sdb"));
	assert_true(strstr(screen, "`-sdb") < strstr(screen, "vg0-root"));
	says(screen, "  dm-0: multipath > sda sdb\n"); /* it is the selected one */
	/* only a path moves now */
	sda = stage_subject(&stage, KIND_DISK, "sda", "");
	for (int i = 0; i < 40; i++) {
		stage_add(&stage, sda, RAW_DISK_READ_OPS, 100);
		stage_tick(&stage, 1, GAP_NONE);
	}
	says(drawn(&stage, PANE_DISK, 40, &out),
		"the paths move and this device does not: something uses them "
		"directly");
	buffer_fini(&out);
	stage_fini(&stage);
}

static void a_disk_says_whether_its_packets_can_be_seen(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};

	(void)memory;
	stage_init(&stage, "packets");
	stage_play(&stage, 60);
	said(&stage, "dm-0", "path", "LUN 1 > iSCSI > 192.0.2.9:3260 disk1");
	said(&stage, "dm-0", "packets", "ens5f0");
	says(drawn(&stage, PANE_DISK, 40, &out),
		"  dm-0: LUN 1 > iSCSI > 192.0.2.9:3260 disk1 > ens5f0 > packets "
		"visible: yes\n");
	said(&stage, "dm-0", "packets", "eth9");
	says(drawn(&stage, PANE_DISK, 40, &out),
		"eth9 > packets visible: no (this interface is not watched)\n");
	said(&stage, "dm-0", "packets", "no: Fibre Channel, use the switch port");
	says(drawn(&stage, PANE_DISK, 40, &out),
		"disk1 > packets visible: no (Fibre Channel, use the switch port)\n");
	buffer_fini(&out);
	stage_fini(&stage);
}

/* However low the screen: what is above keeps its half, the rest is counted. */
static void a_low_screen_says_what_is_left_out(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};

	(void)memory;
	stage_init(&stage, "many");
	stage_play(&stage, 60);
	for (int i = 0; i < 3; i++) {
		for (char c = 'a'; c <= 'z'; c++)
			peer(&stage, (char[]){'p', 'e', 'e', 'r', c, 0});
		stage_tick(&stage, 1, GAP_NONE);
	}
	for (int rows = 1; rows < 24; rows++)
		(void)drawn(&stage, PANE_NET, rows, &out);
	says(drawn(&stage, PANE_NET, 24, &out), "more");
	says(drawn(&stage, PANE_NET, 24, &out), "peera");
	says(drawn(&stage, PANE_NET, 60, &out), "peerz");
	buffer_fini(&out);
	stage_fini(&stage);
}

static void sessions_stand_below_the_peers_and_say_that_they_are_down(void **memory)
{
	struct stage stage = {0};
	struct buffer out = {0};
	const char *screen;

	(void)memory;
	stage_init(&stage, "iscsi");
	for (int i = 0; i < 3; i++) {
		session(&stage, true);
		stage_tick(&stage, 1, GAP_NONE);
	}
	screen = drawn(&stage, 1, 40, &out);
	says(screen, "   STORAGE TRANSPORTS");
	says(screen, "192.0.2.9:3260 disk1");
	says(screen, "up   5.00    32.8"); /* 64000 sectors are 32.8 MB */
	session(&stage, false);
	stage_tick(&stage, 1, GAP_NONE);
	screen = drawn(&stage, 1, 40, &out);
	says(screen, "DOWN      -"); /* its queue is not 0 */
	screen = drawn(&stage, -1, 40, &out);
	assert_null(strstr(screen, "TRANSPORTS")); /* in the zoomed pane only */
	says(screen, "lost 192.0.2.9:3260 disk1"); /* among the bad packets */
	buffer_fini(&out);
	stage_fini(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			sessions_stand_below_the_peers_and_say_that_they_are_down),
		cmocka_unit_test(
			paths_stand_below_their_map_and_say_how_they_are_reached),
		cmocka_unit_test(a_disk_says_whether_its_packets_can_be_seen),
		cmocka_unit_test(mounts_stand_below_the_disks),
		cmocka_unit_test(a_mount_shows_its_protection_its_stalls_and_its_parts),
		cmocka_unit_test(what_a_zoomed_pane_has_none_of_says_why),
		cmocka_unit_test(peers_stand_in_the_zoomed_network_pane),
		cmocka_unit_test(a_low_screen_says_what_is_left_out),
	};

	(void)setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
