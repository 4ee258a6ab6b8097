/* Reading the configuration file; see the header. */
#include "config.h"

#include "app/settings.h"

#include "app/record.h"

#include "app/arguments.h"
#include "app/command.h"
#include "base/scan.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FILE_MOST = 1 << 20
};

static const char example[] = "such as: alert = disk.queue ^sd > 32 for 10s";

/* ---- alert = METRIC DEVICE > LIMIT [for DURATION] ---- */

static bool read_metric(const char *word, unsigned *metric, struct fault *fault)
{
	struct suggestion best = suggestion_start(word);
	int found = metric_find(word);

	if (found >= 0) {
		*metric = (unsigned)found;
		return true;
	}
	for (unsigned i = 0; i < metric_count(); i++)
		suggestion_offer(&best, metric_at(i)->id);
	return fault_set(fault, "there is no metric '%s'; %s%s%s", best.wanted,
		best.word ? "did you mean '" : example, best.word ? best.word : "",
		best.word ? "'?" : "");
}

static bool read_pattern(const char *word, struct alert_rule *rule, struct fault *fault)
{
	int error = regcomp(&rule->regex, word, REG_EXTENDED | REG_NOSUB);
	char why[96];

	if (!error)
		return text_copy(rule->pattern, sizeof rule->pattern, word);
	(void)regerror(error, &rule->regex, why, sizeof why); /* a cut reason will do */
	return fault_set(fault,
		"'%s' is no pattern for devices: %s (an extended regular "
		"expression, such as ^sd[ab]$)",
		word, why);
}

/* "32", "20ms", "95%", "1.5G" */
static bool read_limit(const char *word, double *limit, struct fault *fault)
{
	static const struct {
		const char *word;
		double factor;
	} units[] = {{"", 1}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"%", 1e-2},
		{"k", 1e3}, {"M", 1e6}, {"G", 1e9}};
	size_t length = strspn(word, "0123456789.");
	char number[40];
	const char *at = number;

	if (text_format(number, sizeof number, "%.*s", (int)length, word) &&
		scan_real(&at, limit) && !*at)
		for (size_t i = 0; i < sizeof units / sizeof *units; i++)
			if (!strcmp(units[i].word, word + length)) {
				*limit *= units[i].factor;
				return true;
			}
	return fault_set(fault,
		"'%s' is no limit: a number, with us, ms, s, %%, k, M or G behind it "
		"where that is meant",
		word);
}

static bool read_rest(const char *at, struct alert_rule *rule, struct fault *fault)
{
	char word[ALERT_PATTERN];

	if (scan_end(at))
		return true;
	if (scan_exact(&at, "for") && scan_word(&at, word, sizeof word) && scan_end(at))
		return parse_duration(word, &rule->hold, fault);
	return fault_set(
		fault, "behind the limit only 'for DURATION' may stand; %s", example);
}

static bool take_alert(struct settings *settings, const char *text, struct fault *fault)
{
	struct alert_rule rule = {.hold = 0};
	char metric[64], pattern[ALERT_PATTERN], sign[4], limit[40];
	bool good = scan_word(&text, metric, sizeof metric) &&
		    scan_word(&text, pattern, sizeof pattern) &&
		    scan_word(&text, sign, sizeof sign) &&
		    (!strcmp(sign, ">") || !strcmp(sign, "<")) &&
		    scan_word(&text, limit, sizeof limit);

	if (!good)
		return fault_set(fault,
			"an alert is METRIC DEVICE > LIMIT [for DURATION], %s",
			example);
	rule.below = *sign == '<';
	if (!read_metric(metric, &rule.metric, fault) ||
		!read_limit(limit, &rule.limit, fault) ||
		!read_rest(text, &rule, fault) || !read_pattern(pattern, &rule, fault))
		return false;
	alerts_add(&settings->alerts, &rule);
	return true;
}

/* ---- the others ---- */

static bool take_bell(struct settings *settings, const char *text, struct fault *fault)
{
	settings->bell = !strcmp(text, "on");
	return settings->bell || !strcmp(text, "off") ||
	       fault_set(fault, "bell is on or off, not '%s'", text);
}

static bool take_program(
	struct settings *settings, const char *text, struct fault *fault)
{
	if (*text != '/')
		return fault_set(fault,
			"on_alert takes the full path of one program, without "
			"arguments: '%s' does not begin with /",
			text);
	if (!text_copy(settings->on_alert, sizeof settings->on_alert, text))
		return fault_set(fault, "that path is too long");
	if (access(settings->on_alert, X_OK) != 0)
		return fault_errno(fault, errno, "%s", settings->on_alert);
	return true;
}

static bool take_ring(struct settings *settings, const char *text, struct fault *fault)
{
	return read_ring(text, &settings->ring, fault);
}

static bool take_stall(struct settings *settings, const char *text, struct fault *fault)
{
	return read_stall(text, &settings->stall, fault);
}

/* ---- target = METRIC PERCENT% ---- */

static bool read_share(
	const char *word, unsigned metric, double *share, struct fault *fault)
{
	const char *at = word;
	double percent;

	if (!scan_real(&at, &percent) || strcmp(at, "%") != 0 || !(percent > 0) ||
		percent > 1000)
		return fault_set(fault,
			"'%s' is no target: percent of what it was before, above 0%% "
			"and at most 1000%%",
			word);
	if (metric_at(metric)->better == BETTER_LOWER && percent >= 100)
		return fault_set(fault,
			"'%s' is no target: %s gains by falling, and cannot fall by "
			"100%% or more",
			word, metric_at(metric)->id);
	*share = percent / 100;
	return true;
}

bool settings_target(struct targets *targets, const char *text, struct fault *fault)
{
	char name[64], word[40];
	unsigned metric;
	double share = 0;

	if (!scan_word(&text, name, sizeof name) ||
		!scan_word(&text, word, sizeof word) || !scan_end(text))
		return fault_set(fault,
			"a target is METRIC PERCENT%%, such as: target = disk.queue "
			"20%%");
	return read_metric(name, &metric, fault) &&
	       read_share(word, metric, &share, fault) &&
	       (targets_put(targets, metric, share) ||
		       fault_set(fault, "%d targets are the limit", TARGETS_MOST));
}

static bool take_target(
	struct settings *settings, const char *text, struct fault *fault)
{
	return settings_target(&settings->targets, text, fault);
}

static const struct {
	const char *key;
	bool (*take)(struct settings *settings, const char *text, struct fault *fault);
} keys[] = {
	{"alert", take_alert},
	{"bell", take_bell},
	{"on_alert", take_program},
	{"ring", take_ring},
	{"stall", take_stall},
	{"target", take_target},
};

static void trim(char **text)
{
	char *end;

	while (isspace((unsigned char)**text))
		++*text;
	end = *text + strlen(*text);
	while (end > *text && isspace((unsigned char)end[-1]))
		*--end = 0;
}

static bool take_line(struct settings *settings, char *line, struct fault *fault)
{
	char *value = strchr(line, '=');

	if (!value)
		return fault_set(fault, "a line is KEY = VALUE, %s", example);
	*value++ = 0;
	trim(&line);
	trim(&value);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strcmp(line, keys[i].key))
			return keys[i].take(settings, value, fault);
	return fault_set(fault,
		"there is no setting '%.40s'; there are: alert, bell, on_alert, ring, "
		"stall, target",
		line);
}

bool settings_parse(
	struct settings *settings, const char *name, char *text, struct fault *fault)
{
	unsigned number = 0;
	char *line;

	while ((line = scan_line(&text))) {
		struct fault why = {.text = ""};

		number++;
		if (*line == '#')
			*line = 0;
		line[strcspn(line, "\r")] = 0;
		trim(&line);
		if (*line && !take_line(settings, line, &why))
			return fault_set(
				fault, "%s, line %u: %s", name, number, why.text);
	}
	return true;
}

/* Whoever could write it could have a program started in another's name. */
static bool is_safe(const char *path, struct fault *fault)
{
	struct stat about;

	if (stat(path, &about) != 0)
		return fault_errno(fault, errno, "%s", path);
	if ((about.st_uid != 0 && about.st_uid != geteuid()) ||
		(about.st_mode & (S_IWGRP | S_IWOTH)))
		return fault_set(fault,
			"%s names a program (on_alert) and can be changed by others: "
			"chmod go-w it, or give it to root",
			path);
	return true;
}

static bool read_one(struct settings *settings, const char *path, struct fault *fault)
{
	struct buffer text = {0};
	char before[sizeof settings->on_alert];
	bool good;

	if (access(path, F_OK) != 0 && errno == ENOENT)
		return true;
	(void)text_copy(before, sizeof before, settings->on_alert);
	good = scan_file("", path, &text, FILE_MOST, fault) &&
	       settings_parse(settings, path, buffer_string(&text), fault);
	buffer_fini(&text);
	return good && (!strcmp(before, settings->on_alert) || is_safe(path, fault));
}

static bool own_path(char *path, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (config && *config == '/')
		return text_format(path, size, "%s/weir/weir.conf", config);
	return home && *home == '/' &&
	       text_format(path, size, "%s/.config/weir/weir.conf", home);
}

bool settings_read(struct settings *settings, struct fault *fault)
{
	char path[PATH_MAX];

	*settings = (struct settings){.bell = false};
	if (read_one(settings, "/etc/weir.conf", fault) &&
		(!own_path(path, sizeof path) || read_one(settings, path, fault)))
		return true;
	settings_fini(settings);
	return false;
}

void settings_fini(struct settings *settings)
{
	alerts_fini(&settings->alerts);
}
