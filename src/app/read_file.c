/* Capture files through libpcap; see the header. */
#include "config.h"

#include "app/read_file.h"

#include "app/unsnapped.h"

#include "base/alloc.h"
#include "base/text.h"

#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

struct read_file {
	pcap_t *pcap;
	char name[24];
};

static void name_linktype(struct read_file *read)
{
	int type = pcap_datalink(read->pcap);
	const char *name = pcap_datalink_val_to_name(type);

	if (name)
		(void)text_clean(read->name, sizeof read->name, name); /* short */
	else
		(void)text_format(read->name, sizeof read->name, "DLT_%d", type);
}

struct read_file *read_file_open(FILE *file, struct fault *fault)
{
	/* The C library reads a page at a time, which costs more than all of the
	 * packet engine. Only one file is read at a time. */
	static char ahead[1 << 18];
	char error[PCAP_ERRBUF_SIZE] = "";

	file = unsnapped_open(file);
	if (!file) {
		(void)fault_set(fault, "no memory to read it");
		return NULL;
	}
	(void)setvbuf(file, ahead, _IOFBF, sizeof ahead); /* slower, but no error */
	pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(
		file, PCAP_TSTAMP_PRECISION_NANO, error);

	if (!pcap) {
		(void)fclose(file); /* only read */
		(void)fault_set(fault, "%s", error);
		return NULL;
	}
	struct read_file *read = xalloc(sizeof *read);
	read->pcap = pcap;
	name_linktype(read);
	return read;
}

void read_file_close(struct read_file *read)
{
	if (read && read->pcap)
		pcap_close(read->pcap);
	free(read);
}

int read_file_linktype(const struct read_file *read)
{
	return pcap_datalink(read->pcap);
}

const char *read_file_linktype_name(const struct read_file *read)
{
	return read->name;
}

static enum read_result damage(struct read_file *read, struct fault *fault)
{
	const char *why = pcap_geterr(read->pcap);

	(void)fault_set(fault, "%s", why);
	return strstr(why, "truncated") ? READ_CUT : READ_DAMAGE;
}

/* A file can claim any time; what no number of nanoseconds holds is the last that
 * differences can be made of. */
static nsec time_of(const struct timeval *stamp)
{
	static const time_t most = INT64_MAX / 4 / NSEC_PER_SEC;

	if (stamp->tv_sec < 0 || stamp->tv_sec > most)
		return stamp->tv_sec < 0 ? 0 : most * NSEC_PER_SEC;
	return stamp->tv_sec * NSEC_PER_SEC + stamp->tv_usec;
}

enum read_result read_file_next(
	struct read_file *read, struct packet_frame *frame, struct fault *fault)
{
	struct pcap_pkthdr *header;
	const u_char *data;
	int got = pcap_next_ex(read->pcap, &header, &data);

	if (got == PCAP_ERROR_BREAK)
		return READ_END;
	if (got != 1)
		return damage(read, fault);
	*frame = (struct packet_frame){
		.data = data,
		.captured = header->caplen,
		.length = header->len,
		.time = time_of(&header->ts), /* of nanosecond precision */
		.direction = PACKET_UNKNOWN,
	};
	return READ_FRAME;
}
