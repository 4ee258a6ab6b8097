/* A bucket of events; see the header. */
#include "config.h"

#include "app/throttle.h"

/* One event a second is earned back. */
static void earn(struct throttle *throttle, nsec mono)
{
	nsec earned = (mono - throttle->at) / NSEC_PER_SEC;

	if (earned <= 0)
		return;
	if ((nsec)throttle->used <= earned) {
		throttle->used = 0;
		throttle->at = mono;
		return;
	}
	throttle->used -= (unsigned)earned;
	throttle->at += earned * NSEC_PER_SEC;
}

bool throttle_pass(struct throttle *throttle, nsec mono)
{
	if (!throttle->used)
		throttle->at = mono;
	earn(throttle, mono);
	/* while some are not told, none passes: their line comes first */
	if (throttle->left_out || throttle->used >= THROTTLE_BURST) {
		throttle->left_out++;
		return false;
	}
	throttle->used++;
	return true;
}

void throttle_left_out(struct throttle *throttle, uint64_t count)
{
	throttle->left_out += count;
}

uint64_t throttle_tell(struct throttle *throttle, nsec mono)
{
	uint64_t count = throttle->left_out;

	earn(throttle, mono);
	if (throttle->used + THROTTLE_PAUSE > THROTTLE_BURST)
		return 0;
	throttle->left_out = 0;
	throttle->used += count > 0; /* the line itself */
	return count;
}
