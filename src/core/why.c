/* Words for missing figures; see the header. */
#include "config.h"

#include "core/why.h"

const char *why_word(enum why why)
{
	static const char *const words[WHY_COUNT] = {
		[WHY_NONE] = "",
		[WHY_FIRST] = "first",
		[WHY_GAP] = "gap",
		[WHY_RESET] = "reset",
		[WHY_LATE] = "late",
		[WHY_OFF] = "off",
		[WHY_UNSUPPORTED] = "unsupported",
		[WHY_DENIED] = "denied",
		[WHY_NO_COMPLETION] = "no-completion",
		[WHY_ABSENT] = "absent",
	};

	return (unsigned)why < WHY_COUNT ? words[why] : "";
}
