/* The entry: everything else is in the libraries, so that tests link it too. */
#include "config.h"

int main(void)
{
	return 0;
}
