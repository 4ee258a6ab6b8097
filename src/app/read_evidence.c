/* Evidence from capture files; see the header. */
#include "config.h"

#include "app/read_evidence.h"

#include "app/evidence_file.h"
#include "app/output.h"
#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
	QUOTA = 1000, /* findings of a class in a file */
	WRITE_AT = 1 << 20
};

struct read_evidence {
	struct evidence_file file;
	struct output output;
	struct buffer bytes;
	struct evidence_options options;
	const char *input; /* the capture file, by its last part */
	int linktype;
	bool failed;
	struct fault fault;
};

static void write_out(struct read_evidence *evidence)
{
	if (!evidence->failed &&
		!output_write(&evidence->output, &evidence->bytes, &evidence->fault))
		evidence->failed = true;
	buffer_clear(&evidence->bytes);
}

static void put(void *context, const struct evidence_entry *entry)
{
	struct read_evidence *evidence = context;
	struct evidence_packet packet = {
		.entry = *entry, .linktype = evidence->linktype};
	char classes[1024];

	/* the end of a long name is cut: it is there for people */
	(void)text_clean(packet.interface, sizeof packet.interface, evidence->input);
	evidence_classes(entry->seen, classes, sizeof classes);
	evidence_file_add(&evidence->file, &packet, classes);
	if (evidence->bytes.size > WRITE_AT)
		write_out(evidence);
}

struct read_evidence *read_evidence_open(
	const char *path, bool whole, struct fault *fault)
{
	struct read_evidence *evidence = xalloc(sizeof *evidence);

	if (!output_open(&evidence->output, path, fault)) {
		free(evidence);
		return NULL;
	}
	evidence->options = (struct evidence_options){
		.whole = whole, .quota = QUOTA, .put = put, .context = evidence};
	evidence_file_begin(&evidence->file, &evidence->bytes,
		"packets behind the findings of weir");
	return evidence;
}

struct evidence *read_evidence_for(
	struct read_evidence *evidence, const char *name, int linktype)
{
	const char *slash = strrchr(name, '/');

	if (!evidence)
		return NULL;
	evidence->input = slash ? slash + 1 : name;
	evidence->linktype = linktype;
	return evidence_new(&evidence->options);
}

/* In the cage nothing can be taken away again: what is not whole says so. */
bool read_evidence_close(struct read_evidence *evidence, struct fault *fault)
{
	struct fault problem;
	bool good;

	write_out(evidence);
	good = output_close(&evidence->output, true, &problem) && !evidence->failed;
	if (!good)
		*fault = evidence->failed ? evidence->fault : problem;
	buffer_fini(&evidence->bytes);
	free(evidence);
	return good;
}
