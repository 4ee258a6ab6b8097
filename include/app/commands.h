/*
 * All subcommands, and the way from the words of a command line to one of them.
 * A new subcommand: cmd_NAME.c, one line here, one row in commands.c.
 */
#ifndef WEIR_APP_COMMANDS_H
#define WEIR_APP_COMMANDS_H

#include "app/command.h"

extern const struct command command_attach;
extern const struct command command_bundle;
extern const struct command command_doctor;
extern const struct command command_evidence;
extern const struct command command_export;
extern const struct command command_help;
extern const struct command command_list;
extern const struct command command_live;
extern const struct command command_mark;
extern const struct command command_note;
extern const struct command command_record;
extern const struct command command_replay;
extern const struct command command_run;
extern const struct command command_sources;
extern const struct command command_stop;
extern const struct command command_undo;
extern const struct command command_read;
extern const struct command command_report;

/* The whole program: the exit status for the words of argv. */
int commands_run(size_t count, const char *const *words);

/* Null if there is none of that name. */
const struct command *commands_find(const char *name);

/* Says that there is none, with a suggestion; returns EXIT_USAGE. */
int commands_unknown(const char *word);

/* Prints what --help prints, to standard output; COMMAND null: all of them. */
void help_print(const struct command *command);

#endif
