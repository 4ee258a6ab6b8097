/* The entry: everything else is in the libraries, so that tests link it too. */
#include "config.h"

#include "app/commands.h"

#include <locale.h>

int main(int argc, char **argv)
{
	/* Only character widths follow the locale; numbers never do. */
	(void)setlocale(LC_CTYPE, ""); /* without one the C locale serves */
	return commands_run((size_t)argc, (const char *const *)argv);
}
