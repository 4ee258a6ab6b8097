/*
 * The end of the program for reasons that no caller can mend: out of memory,
 * a broken promise inside weir. Everything else is a struct fault.
 */
#ifndef WEIR_BASE_DIE_H
#define WEIR_BASE_DIE_H

/* Called once by die() before it prints, to give the terminal back. Null: none. */
void die_hook(void (*restore)(void));

/* Prints one line on standard error and exits with status 1. */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
