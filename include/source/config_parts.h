/*
 * Parts of the sources of facts that stand in files of their own.
 */
#ifndef WEIR_SOURCE_CONFIG_PARTS_H
#define WEIR_SOURCE_CONFIG_PARTS_H

#include "source/config.h"

/* config_modules.c: parameters of the modules that drive storage and network, as
 * facts "MODULE.NAME" of the host. */
void config_modules(
	const struct source_env *env, struct sink *sink, const struct subject *host);

/* config_irq.c: which processors serve the interrupts of the device in FOLDER. */
void config_irq(const struct source_env *env, const char *folder, struct sink *sink,
	const struct subject *subject);

/* qdisc.c: how packets of each interface are queued on their way out, as the kernel's
 * table has it (rtnetlink). */
int qdisc_open(void); /* -1: it cannot be asked */
void qdisc_close(int fd);
/* Puts a fact for SUBJECT, the interface NAME. */
void qdisc_fact(
	int fd, const char *name, struct sink *sink, const struct subject *subject);

#endif
