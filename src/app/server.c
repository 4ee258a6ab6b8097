/* The listening socket and its connections; see the header. */
#include "config.h"

#include "app/server.h"

#include "app/folder.h"
#include "app/link.h"
#include "app/share.h"
#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	LINKS_MAX = 64,
	WATCHERS_MAX = 32 /* of them; the owner always finds room */
};

struct server {
	struct recorder *recorder;
	char path[sizeof((struct sockaddr_un *)0)->sun_path];
	int fd;    /* negative: not listening now */
	bool deaf; /* until the next tick: nobody could be let in */
	ino_t inode;
	struct share share;
	struct link *links[LINKS_MAX];
	size_t link_count;
	struct buffer line;
};

static void folder_of(const struct server *server, char *path, size_t size)
{
	(void)text_copy(path, size, server->path); /* of the same size */
	*strrchr(path, '/') = 0;
}

/* The folder is 0700, and the caller holds the lock that goes with PATH. */
static bool start_listening(struct server *server, struct fault *fault)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct stat status = {0};
	char folder[sizeof server->path];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return fault_errno(fault, errno, "cannot make a socket");
	(void)text_copy(address.sun_path, sizeof address.sun_path, server->path);
	(void)unlink(server->path); /* the socket of a recorder that was killed */
	if (bind(fd, (const struct sockaddr *)&address, sizeof address) < 0 ||
		chmod(server->path, 0600) < 0 || listen(fd, 16) < 0 ||
		lstat(server->path, &status) < 0) {
		(void)fault_errno(fault, errno, "cannot listen on %s", server->path);
		(void)close(fd); /* nothing came through it */
		return false;
	}
	folder_of(server, folder, sizeof folder);
	share_open(&server->share, folder, server->path);
	server->fd = fd;
	server->inode = status.st_ino;
	return true;
}

struct server *server_new(
	struct recorder *recorder, const char *path, struct fault *fault)
{
	struct server *server = xalloc(sizeof *server);

	server->recorder = recorder;
	server->fd = -1;
	server->share = share_find();
	if (text_copy(server->path, sizeof server->path, path) &&
		start_listening(server, fault))
		return server;
	free(server);
	return NULL;
}

void server_free(struct server *server)
{
	if (!server)
		return;
	for (size_t i = 0; i < server->link_count; i++) {
		link_pump(server->links[i]);
		server->links[i]->run_count = 0; /* the recording is over */
		link_free(server->links[i]);
	}
	if (server->fd >= 0) {
		(void)close(server->fd); /* nothing came through it */
		(void)unlink(server->path);
	}
	buffer_fini(&server->line);
	free(server);
}

static bool has_room(const struct server *server, enum share_right right)
{
	size_t watchers = 0;

	if (right == SHARE_WATCH)
		for (size_t i = 0; i < server->link_count; i++)
			watchers += server->links[i]->only_watches;
	return server->link_count < LINKS_MAX && watchers < WATCHERS_MAX;
}

static void accept_one(void *context, short events)
{
	struct server *server = context;
	int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	enum share_right right;
	struct link *link;

	(void)events; /* whatever it was, accept says how it stands */
	if (fd < 0) {
		/* Out of descriptors or memory: whoever waits would be announced again
		 * at once, and the loop never rest. */
		server->deaf = errno != EAGAIN && errno != EINTR;
		return;
	}
	right = share_right(&server->share, fd);
	if (right == SHARE_NOTHING || !has_room(server, right)) {
		(void)close(fd); /* it was not even listened to */
		return;
	}
	link = link_new(server->recorder, fd);
	link->only_watches = right == SHARE_WATCH;
	server->links[server->link_count++] = link;
}

static void serve(void *context, short events)
{
	struct link *link = context;

	if (events & POLLOUT)
		link_pump(link);
	if (events & (POLLIN | POLLHUP | POLLERR))
		link_read(link);
}

size_t server_items(struct server *server, struct loop_item *items, size_t count)
{
	items[count++] = (struct loop_item){
		server->deaf ? -1 : server->fd, POLLIN, accept_one, server};
	for (size_t i = 0; i < server->link_count; i++) {
		struct link *link = server->links[i];
		short out = link->out.size ? POLLOUT : 0;

		items[count++] = (struct loop_item){
			link->fd, (short)(POLLIN | out), serve, link};
	}
	return count;
}

void server_tidy(struct server *server)
{
	size_t kept = 0;
	struct link *over[LINKS_MAX];
	size_t over_count = 0;

	for (size_t i = 0; i < server->link_count; i++) {
		if (server->links[i]->fd >= 0)
			server->links[kept++] = server->links[i];
		else
			over[over_count++] = server->links[i];
	}
	server->link_count = kept;
	/* what they leave behind is told to the others */
	for (size_t i = 0; i < over_count; i++)
		link_free(over[i]);
}

size_t server_viewers(const struct server *server)
{
	size_t viewers = 0;

	for (size_t i = 0; i < server->link_count; i++)
		viewers += server->links[i]->watching;
	return viewers;
}

void server_tick(struct server *server)
{
	for (size_t i = 0; server && i < server->link_count; i++)
		link_pump(server->links[i]);
}

void server_saved(struct server *server, uint64_t done)
{
	for (size_t i = 0; i < server->link_count; i++)
		link_saved(server->links[i], done);
}

void server_end(struct server *server)
{
	for (size_t i = 0; i < server->link_count; i++)
		link_end(server->links[i]);
}

static void tell_all(struct server *server)
{
	for (size_t i = 0; i < server->link_count; i++)
		link_tell(server->links[i], &server->line);
	buffer_clear(&server->line);
}

void server_tell_window(struct server *server, uint32_t id, const struct window *window)
{
	if (window) {
		line_window(&server->line, window);
	} else {
		line_word(&server->line, "window-gone");
		line_number(&server->line, id);
		line_end(&server->line);
	}
	tell_all(server);
}

void server_tell_run(struct server *server, const struct run *run)
{
	line_run(&server->line, run);
	tell_all(server);
}

void server_tell_note(struct server *server, const struct note *note)
{
	if (!server)
		return; /* before there is anybody to tell */
	line_note(&server->line, note);
	tell_all(server);
}

void server_tell_facts(struct server *server, const struct facts *facts, size_t from)
{
	if (!server)
		return; /* before there is anybody to tell */
	for (size_t i = from; i < facts->count; i++) {
		struct fact fact = facts_at_index(facts, i);

		line_fact(&server->line, &fact);
	}
	tell_all(server);
}

void server_tell_note_gone(struct server *server, uint32_t id)
{
	line_word(&server->line, "note-gone");
	line_number(&server->line, id);
	line_end(&server->line);
	tell_all(server);
}

static bool make_folder(const struct server *server)
{
	char path[sizeof server->path];

	folder_of(server, path, sizeof path);
	return folder_make(path, NULL);
}

void server_watch_socket(struct server *server)
{
	struct stat status;

	server->deaf = false;
	if (server->fd >= 0 && lstat(server->path, &status) == 0 &&
		status.st_ino == server->inode)
		return;
	if (server->fd >= 0)
		(void)close(server->fd); /* those who are connected stay so */
	server->fd = -1;
	/* if not now, then with a later tick */
	(void)(make_folder(server) && start_listening(server, NULL));
}
