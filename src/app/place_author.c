/* Names that nobody gave: of a session, by the clock, and of whoever sets a mark. */
#include "config.h"

#include "app/place.h"

#include "base/clock.h"
#include "base/text.h"

#include <pwd.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void place_fresh_name(char *name, size_t size)
{
	struct instant now;
	struct tm local = {0};
	time_t seconds;

	clock_read(&now);
	seconds = (time_t)(now.wall / NSEC_PER_SEC);
	(void)localtime_r(&seconds, &local); /* zeros make a name as well */
	if (!strftime(name, size, "%Y%m%d-%H%M%S", &local))
		(void)text_copy(name, size, "session");
}

void place_author(char *author, size_t size)
{
	char login[128];
	const char *sudo = getenv("SUDO_USER");
	const struct passwd *user;

	if (sudo && *sudo && geteuid() == 0) {
		(void)text_clean(author, size, sudo); /* a cut name is still a name */
		return;
	}
	if (getlogin_r(login, sizeof login) == 0 && *login) {
		(void)text_clean(author, size, login);
		return;
	}
	user = getpwuid(geteuid());
	if (user)
		(void)text_clean(author, size, user->pw_name);
	else
		(void)text_format(author, size, "uid %u", (unsigned)geteuid());
}
