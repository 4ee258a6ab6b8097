/*
 * A recorder in the background; see the header. It is this program once more, with
 * the words that would start it by hand, so that ps shows what it is.
 */
#include "config.h"

#include "app/spawn.h"

#include "app/record.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char variable[] = "WEIR_STARTED_BY";

enum {
	WORDS_MAX = 32
};

static int pipe_number(void)
{
	const char *text = getenv(variable);
	char *end;
	long number;

	if (!text || !*text)
		return -1;
	number = strtol(text, &end, 10);
	return *end || number < 3 || number > 1 << 20 ? -1 : (int)number;
}

bool spawn_is_child(void)
{
	return getenv(variable) != NULL;
}

void spawn_report(const struct fault *fault)
{
	int fd = pipe_number();
	const char *text = fault ? fault->text : "";

	if (fd < 0)
		return;
	/* if nobody waits any more there is nobody to tell */
	(void)!write(fd, fault ? "!" : "+", 1);
	(void)!write(fd, text, strlen(text));
	(void)close(fd);
	(void)setenv(variable, "", 1); /* the pipe is gone, the fact stays */
}

struct words {
	const char *word[WORDS_MAX];
	char interval[32], queue_interval[32], stall[32], ring[16];
};

static const char *seconds(char text[32], nsec interval)
{
	(void)snprintf(text, 32, "%.6f", /* always fits */
		(double)interval / (double)NSEC_PER_SEC);
	return text;
}

/* An option that was given. */
static size_t pair(
	const char **words, size_t count, const char *option, const char *value)
{
	if (!value)
		return count;
	words[count] = option;
	words[count + 1] = value;
	return count + 2;
}

/* The words of `weir record` that mean OPTIONS. */
static void make_words(const struct place *place, const struct record_options *options,
	struct words *made)
{
	const struct selection *selection = &options->selection;
	const char **words = made->word;
	size_t count = 0;

	words[count++] = "weir";
	words[count++] = "record";
	words[count++] = "-s";
	words[count++] = place->name;
	words[count++] = "-t";
	words[count++] = seconds(made->interval, options->interval);
	if (selection->queue_interval) {
		words[count++] = "--queue-interval";
		words[count++] =
			seconds(made->queue_interval, selection->queue_interval);
	}
	if (selection->stall) {
		words[count++] = "--stall";
		words[count++] = seconds(made->stall, selection->stall);
	}
	count = pair(words, count, "-i", selection->interfaces);
	count = pair(words, count, "-D", selection->disks);
	count = pair(words, count, "-f", selection->filter);
	count = pair(words, count, "--ports", selection->ports);
	count = pair(words, count, "--host", selection->hosts);
	if (selection->evidence != SELECT_HEADERS)
		count = pair(words, count, "--evidence",
			selection->evidence == SELECT_WHOLE ? "whole" : "off");
	if (selection->ring) {
		(void)text_format(made->ring, sizeof made->ring, "%u",
			selection->ring); /* fits */
		count = pair(words, count, "--ring", made->ring);
	}
	if (selection->all)
		words[count++] = "--all";
	if (selection->promiscuous)
		words[count++] = "--promisc";
	if (!selection->capture)
		words[count++] = "--no-capture";
	words[count] = NULL;
}

/* Nothing of the terminal stays; what it has to say goes beside the session. */
static void leave_terminal(const struct place *place)
{
	char path[PATH_MAX];
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int log = -1;

	if (text_format(path, sizeof path, "%s/%s.log", place->folder, place->name))
		log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
			0600);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
		dup2(log < 0 ? null : log, STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	(void)setsid();    /* a fresh child is no group leader: it cannot fail */
	(void)!chdir("/"); /* it holds no file system but the session's */
}

static void become_recorder(
	const struct place *place, const struct record_options *options, int report)
{
	char number[16];
	struct words words;
	struct fault fault = {0};
	sigset_t none;

	leave_terminal(place);
	if (fork() != 0) /* the grandchild is nobody's child and nobody's leader */
		_exit(EXIT_DONE);
	(void)sigemptyset(&none); /* neither can fail */
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)snprintf(number, sizeof number, "%d", report); /* always fits */
	make_words(place, options, &words);
	if (fcntl(report, F_SETFD, 0) == 0 && setenv(variable, number, 1) == 0)
		(void)execv("/proc/self/exe", (char *const *)(uintptr_t)words.word);
	(void)fault_errno(&fault, errno, "cannot start a recorder");
	(void)setenv(variable, number, 1);
	spawn_report(&fault);
	_exit(EXIT_FAILED);
}

/* Waits for the report; an end without one is a fault too. */
static bool wait_for_report(int fd, const struct place *place, struct fault *fault)
{
	char text[sizeof fault->text + 1] = "";
	size_t used = 0;
	ssize_t got;

	do {
		got = read(fd, text + used, sizeof text - 1 - used);
		if (got > 0)
			used += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (used && text[0] == '+')
		return true;
	if (used > 1)
		return fault_set(fault, "%s", text + 1);
	return fault_set(fault, "the recorder ended at once; %s/%s.log may say why",
		place->folder, place->name);
}

bool recorder_spawn(const struct place *place, const struct record_options *options,
	struct fault *fault)
{
	int report[2];
	pid_t child;
	bool good;

	if (pipe2(report, O_CLOEXEC) < 0)
		return fault_errno(fault, errno, "cannot make a pipe");
	(void)fflush(NULL); /* nothing of ours twice */
	child = fork();
	if (child == 0)
		become_recorder(place, options, report[1]);
	(void)close(report[1]); /* the recorder has the other one */
	if (child < 0) {
		(void)close(report[0]); /* nobody will write */
		return fault_errno(fault, errno, "cannot start a recorder");
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	good = wait_for_report(report[0], place, fault);
	(void)close(report[0]); /* read to its end */
	return good;
}
