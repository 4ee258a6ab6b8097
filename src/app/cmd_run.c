/*
 * `weir run NAME -- COMMAND`: a window exactly around a command, as in the copy test:
 * how long it took, what the disks and the network moved meanwhile, how it ended.
 */
#include "config.h"

#include "app/commands.h"

#include "app/asking.h"
#include "app/moved.h"
#include "base/child.h"
#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const nsec patience = 10 * NSEC_PER_SEC;

enum {
	STATUS_NOT_STARTED = 127
};

/* The words of the command as one line; what is too long is cut. */
static void join(const struct arguments *arguments, char *line, size_t size)
{
	size_t used = 0;

	line[0] = 0;
	for (size_t i = 1; i < arguments->word_count; i++) {
		if (!text_format(line + used, size - used, "%s%s", i > 1 ? " " : "",
			    arguments->words[i]))
			return;
		used = strlen(line);
	}
}

static bool begin(struct client *client, const struct arguments *arguments,
	uint32_t *id, struct fault *fault)
{
	struct asking asking = {0};
	struct client_answer answer;
	char line[128];

	join(arguments, line, sizeof line);
	asking_word(&asking, "run-begin");
	(void)asking_pair(&asking, "name", arguments->words[0]); /* both are short */
	(void)asking_pair(&asking, "command", line);
	asking_author(&asking);
	if (!client_ask(client, asking.words, asking.count, false, patience, &answer,
		    fault))
		return false;
	*id = answer.id;
	return true;
}

/* Signals that are blocked here and read one by one while the command runs. */
static void block(sigset_t *signals)
{
	static const int numbers[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP};

	(void)sigemptyset(signals); /* none of these can fail */
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		(void)sigaddset(signals, numbers[i]);
	(void)sigprocmask(SIG_BLOCK, signals, NULL);
}

/* What the terminal sends reaches the command by itself; the rest is passed on. */
static int wait_for(struct child *child, const sigset_t *signals)
{
	int status = 0;

	while (!child_ended(child, &status)) {
		siginfo_t info;
		int number = sigwaitinfo(signals, &info);

		if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL)
			(void)kill(child->pid, number); /* it may have ended */
	}
	return status;
}

static int execute(const struct arguments *arguments)
{
	struct fault fault = {0};
	struct child child;
	sigset_t signals;

	block(&signals);
	(void)fflush(NULL); /* nothing of ours after what it prints */
	if (child_start(&child, arguments->words + 1, CHILD_INHERIT, &fault))
		return wait_for(&child, &signals);
	(void)failure(&fault);
	return STATUS_NOT_STARTED;
}

static bool end(struct client *client, uint32_t id, int status, struct fault *fault)
{
	struct asking asking = {0};
	struct client_answer answer;

	asking_word(&asking, "run-end");
	asking_number(&asking, "id", id);
	asking_number(&asking, "exit", status);
	asking_author(&asking);
	if (!client_ask(
		    client, asking.words, asking.count, true, patience, &answer, fault))
		return false;
	return answer.saved ||
	       fault_set(fault, "NOT SAVED YET: the disk has not taken the window");
}

static int run(const struct arguments *arguments)
{
	struct fault fault = {0};
	struct place place;
	struct client *client;
	uint32_t id;
	int status;

	if (!asking_names_window(arguments))
		return EXIT_USAGE;
	client = asking_connect(arguments, &place, &fault);
	if (!client || !begin(client, arguments, &id, &fault)) {
		client_free(client);
		return failure(&fault);
	}
	status = execute(arguments);
	if (!end(client, id, status, &fault) || !moved_print(&place, id, &fault))
		(void)failure(&fault); /* the status is the command's all the same */
	client_free(client);
	return status;
}

const struct command command_run = {
	.name = "run",
	.words = "NAME -- COMMAND...",
	.about = "run a command with a window around it",
	.more = "Prints how long it took and what disks and network moved meanwhile, "
		"on\n"
		"standard error. The exit status is that of the command: 128 and the "
		"number of\n"
		"the signal if one ended it, 127 if it could not be started.",
	.options = {options_session},
	.least_words = 2,
	.most_words = (size_t)-1,
	.rest_is_command = true,
	.run = run,
};
