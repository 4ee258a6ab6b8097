/*
 * Text from outside and text for people: cleaning, copying, and a quoting that
 * keeps a field on one line. Sizes are in bytes and include the final zero.
 */
#ifndef WEIR_BASE_TEXT_H
#define WEIR_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Copies at most SIZE - 1 bytes, never half a UTF-8 character. Returns false
 * if it had to cut. */
bool text_copy(char *to, size_t size, const char *from);

/* As text_copy, and every control character (C0, DEL, C1), bidirectional
 * override and byte that is not UTF-8 (RFC 3629) becomes '?'. Names, aliases,
 * notes and messages pass through here once, where they enter. */
bool text_clean(char *to, size_t size, const char *from);

/* Whether there is nothing to read in it: empty, or spaces, tabs and newlines. */
bool text_is_blank(const char *text);

/* As text_clean, but keeps newlines and tabs: attachments. */
bool text_clean_lines(char *to, size_t size, const char *from);

/* snprintf that says whether all of it fitted. */
bool text_format(char *to, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* One word for the line protocols: bytes up to 0x20, '%' and 0x7f become %XX;
 * the empty text becomes "%". The decoder takes exactly that and returns false
 * for a bad escape or too little room. */
bool text_quote(char *to, size_t size, const char *from);
bool text_unquote(char *to, size_t size, const char *from);

/* Terminal columns of clean text: one per character, by wcwidth; -1 never. */
size_t text_columns(const char *text);

/* Fits TEXT into COLUMNS by cutting its middle and putting '~' there, so that
 * the end that tells two devices apart stays. */
void text_middle(char *to, size_t size, const char *text, size_t columns);

#endif
