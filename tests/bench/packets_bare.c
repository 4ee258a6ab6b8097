/*
 * The least that reading a capture and verifying its checksums can cost: libpcap's
 * loop, and weir's checksum over every byte of every frame.
 */
#include "config.h"

#include "packet/sum.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *pcap = argc > 1 ? pcap_open_offline(argv[1], error) : NULL;
	struct pcap_pkthdr *header;
	const u_char *data;
	uint64_t packets = 0, sum = 0;

	if (!pcap)
		return EXIT_FAILURE;
	while (pcap_next_ex(pcap, &header, &data) == 1) {
		packets++;
		sum += sum_fold(sum_bytes(data, header->caplen));
	}
	pcap_close(pcap);
	(void)printf("%lu packets, %lx\n", (unsigned long)packets, (unsigned long)sum);
	return EXIT_SUCCESS;
}
