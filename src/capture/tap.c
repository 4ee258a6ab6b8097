/* Opening and reading one interface; see the header. */
#include "config.h"

#include "capture/tap.h"

#include "capture/cutter.h"

#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	/* A block of the ring with frames in it is handed over at the latest after this
	 * (libpcap calls it the timeout; it is not one for reading). */
	BLOCK_MS = 40,
};

struct tap {
	pcap_t *pcap;
	const char *interface; /* the caller's */
	bool cuts_sent;
	uint32_t lost_seen; /* as libpcap counts it: wraps */
	uint64_t lost;
	struct sock_fprog whole, headers; /* owned */
	void (*take)(void *context, const struct tap_frame *frame);
	void *context;
};

/* Whether the card makes the checksums of sent packets. Asking needs no right. A
 * driver that cannot be asked does none. */
static bool sent_by_card(const char *interface)
{
	struct ethtool_value value = {.cmd = ETHTOOL_GTXCSUM};
	struct ifreq request = {.ifr_data = (char *)&value};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int error;

	if (fd < 0)
		return false;
	(void)text_copy(request.ifr_name, sizeof request.ifr_name, interface);
	error = ioctl(fd, SIOCETHTOOL, &request);
	(void)close(fd); /* nothing was written */
	return !error && value.data;
}

static struct sock_fprog compose(
	const struct sock_filter *program, size_t count, unsigned sent, unsigned other)
{
	struct sock_filter *to = xarray(CUTTER_ROOM, sizeof *to);
	size_t size = cutter_compose(program, count, sent, other, to);

	return (struct sock_fprog){.len = (unsigned short)size, .filter = to};
}

static bool attach(
	struct tap *tap, const struct sock_fprog *program, struct fault *fault)
{
	if (setsockopt(pcap_fileno(tap->pcap), SOL_SOCKET, SO_ATTACH_FILTER, program,
		    sizeof *program))
		return fault_errno(fault, errno, "cannot set the socket filter");
	return true;
}

static bool make_filters(struct tap *tap, const struct bpf_program *from,
	unsigned snaplen, struct fault *fault)
{
	unsigned cut = snaplen < CUTTER_HEADERS ? snaplen : CUTTER_HEADERS;
	struct sock_filter *program = xarray(from->bf_len, sizeof *program);

	for (unsigned i = 0; i < from->bf_len; i++)
		program[i] = (struct sock_filter){from->bf_insns[i].code,
			from->bf_insns[i].jt, from->bf_insns[i].jf,
			from->bf_insns[i].k};
	tap->whole =
		compose(program, from->bf_len, tap->cuts_sent ? cut : snaplen, snaplen);
	tap->headers = compose(program, from->bf_len, cut, cut);
	free(program);
	if (!tap->whole.len)
		return fault_set(fault, "the filter is too long for the kernel");
	return attach(tap, &tap->whole, fault);
}

/* An empty expression is a filter too: it accepts everything. pcap_setfilter also
 * drops what came before it; the filters that replace it decide only lengths. */
static bool set_filters(
	struct tap *tap, const struct tap_options *options, struct fault *fault)
{
	struct bpf_program program;
	bool done;

	if (pcap_compile(tap->pcap, &program, options->filter ? options->filter : "", 1,
		    PCAP_NETMASK_UNKNOWN))
		return fault_set(fault, "filter: %s", pcap_geterr(tap->pcap));
	done = !options->filter || !pcap_setfilter(tap->pcap, &program) ||
	       fault_set(fault, "filter: %s", pcap_geterr(tap->pcap));
	done = done && make_filters(tap, &program, options->snaplen, fault);
	pcap_freecode(&program);
	return done;
}

static enum wire_status status_of(int error)
{
	if (error == PCAP_ERROR_PERM_DENIED || error == PCAP_ERROR_PROMISC_PERM_DENIED)
		return WIRE_DENIED;
	if (error == PCAP_ERROR_NO_SUCH_DEVICE || error == PCAP_ERROR_IFACE_NOT_UP)
		return WIRE_GONE;
	return WIRE_FAILED;
}

/* None of the setters can fail before activation, and each value is in range. */
static int activate(pcap_t *pcap, const struct tap_options *options)
{
	(void)pcap_set_snaplen(pcap, (int)options->snaplen);
	(void)pcap_set_promisc(pcap, options->promiscuous);
	(void)pcap_set_timeout(pcap, BLOCK_MS);
	(void)pcap_set_buffer_size(pcap, (int)(options->ring << 20));
	(void)pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO);
	return pcap_activate(pcap);
}

static pcap_t *open_pcap(const struct tap_options *options, enum wire_status *status,
	struct fault *fault)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	pcap_t *pcap = pcap_create(options->interface, why);
	int result;

	*status = WIRE_FAILED;
	if (!pcap) {
		(void)fault_set(fault, "%s: %s", options->interface, why);
		return NULL;
	}
	result = activate(pcap, options);
	if (result >= 0 && pcap_setnonblock(pcap, 1, why) == 0)
		return pcap;
	if (result < 0)
		*status = status_of(result);
	(void)fault_set(fault, "%s: %s", options->interface,
		result < 0 ? pcap_statustostr(result) : why);
	pcap_close(pcap);
	return NULL;
}

struct tap *tap_open(const struct tap_options *options, enum wire_status *status,
	struct fault *fault)
{
	pcap_t *pcap = open_pcap(options, status, fault);
	struct tap *tap;

	if (!pcap)
		return NULL;
	tap = xalloc(sizeof *tap);
	tap->pcap = pcap;
	tap->interface = options->interface;
	tap->cuts_sent = sent_by_card(options->interface);
	if (set_filters(tap, options, fault))
		return tap;
	free(tap->whole.filter);
	free(tap->headers.filter);
	free(tap);
	pcap_close(pcap);
	return NULL;
}

int tap_linktype(const struct tap *tap)
{
	return pcap_datalink(tap->pcap);
}

int tap_descriptor(const struct tap *tap)
{
	return pcap_get_selectable_fd(tap->pcap);
}

bool tap_cuts_sent(const struct tap *tap)
{
	return tap->cuts_sent;
}

bool tap_cut_all(struct tap *tap, bool cut, struct fault *fault)
{
	return attach(tap, cut ? &tap->headers : &tap->whole, fault);
}

static void hand_on(u_char *user, const struct pcap_pkthdr *header, const u_char *data)
{
	const struct tap *tap = (const void *)user;
	const struct tap_frame frame = {
		.data = data,
		.captured = header->caplen,
		.length = header->len,
		/* nanoseconds were asked for */
		.time = header->ts.tv_sec * NSEC_PER_SEC + header->ts.tv_usec,
	};

	tap->take(tap->context, &frame);
}

/* libpcap tells this apart only by an English sentence. The kernel forgets the name
 * first and the index of the socket a moment later. */
static bool is_gone(const struct tap *tap)
{
	struct sockaddr_ll address = {0};
	socklen_t size = sizeof address;
	struct ifreq request = {0};
	int fd = pcap_fileno(tap->pcap);

	if (getsockname(fd, (struct sockaddr *)&address, &size) == 0 &&
		address.sll_ifindex == -1)
		return true;
	(void)text_copy(request.ifr_name, sizeof request.ifr_name, tap->interface);
	return ioctl(fd, SIOCGIFFLAGS, &request) < 0 && errno == ENODEV;
}

int tap_read(struct tap *tap,
	void (*take)(void *context, const struct tap_frame *frame), void *context,
	enum wire_status *status, struct fault *fault)
{
	int count;

	tap->take = take;
	tap->context = context;
	count = pcap_dispatch(tap->pcap, TAP_BATCH, hand_on, (u_char *)tap);
	if (count >= 0)
		return count;
	if (count == PCAP_ERROR_BREAK)
		return 0; /* paused: libpcap does not say how many */
	*status = is_gone(tap) ? WIRE_GONE : WIRE_FAILED;
	(void)fault_set(fault, "%s", pcap_geterr(tap->pcap));
	return -1;
}

void tap_pause(struct tap *tap)
{
	pcap_breakloop(tap->pcap);
}

/* ps_ifdrop is not looked at: it means something else for every driver, and the
 * recorder has the card's own counters. */
uint64_t tap_lost(struct tap *tap)
{
	struct pcap_stat stat;

	if (pcap_stats(tap->pcap, &stat) == 0) {
		tap->lost += (uint32_t)(stat.ps_drop - tap->lost_seen);
		tap->lost_seen = stat.ps_drop;
	}
	return tap->lost;
}
