/* Evidence from capture files; see the header. */
#include "config.h"

#include "app/read_evidence.h"

#include "app/evidence_file.h"
#include "app/output.h"
#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>

enum {
	QUOTA = 1000, /* findings of a class in a file */
	WRITE_AT = 1 << 20
};

struct read_evidence {
	struct evidence_file file;
	struct output output;
	struct buffer bytes;
	struct evidence_options options;
	const char *input;       /* the capture file: */
	int linktype, interface; /* -1: not said yet */
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

/* Each file is an interface of its own, by the name that the person gave it. */
static unsigned interface_of(struct read_evidence *evidence)
{
	char name[1024];

	if (evidence->interface < 0) {
		/* the end of a longer path is cut: it is there for people */
		(void)text_clean(name, sizeof name, evidence->input);
		evidence->interface = (int)evidence_file_interface(
			&evidence->file, evidence->linktype, name);
	}
	return (unsigned)evidence->interface;
}

static void put(void *context, const struct evidence_entry *entry)
{
	struct read_evidence *evidence = context;
	char classes[1024];

	evidence_classes(entry->seen, classes, sizeof classes);
	evidence_file_put(&evidence->file, interface_of(evidence), entry, classes);
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
	if (!evidence)
		return NULL;
	evidence->input = name;
	evidence->linktype = linktype;
	evidence->interface = -1;
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
	evidence_file_end(&evidence->file);
	buffer_fini(&evidence->bytes);
	free(evidence);
	return good;
}
