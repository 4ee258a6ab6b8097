/* Where a command's result goes; see the header. */
#include "config.h"

#include "app/output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const char *name_of(const struct output *output)
{
	return output->path ? output->path : "standard output";
}

bool output_open(struct output *output, const char *path, struct fault *fault)
{
	*output = (struct output){.fd = STDOUT_FILENO, .path = path};
	if (!path)
		return true;
	output->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		S_IRUSR | S_IWUSR);
	if (output->fd < 0)
		return fault_errno(fault, errno, "cannot create %s", path);
	return true;
}

bool output_write(struct output *output, struct buffer *buffer, struct fault *fault)
{
	size_t done = 0;

	while (done < buffer->size) {
		ssize_t wrote =
			write(output->fd, buffer->data + done, buffer->size - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return fault_errno(
				fault, errno, "cannot write to %s", name_of(output));
		done += (size_t)wrote;
	}
	buffer_clear(buffer);
	return true;
}

bool output_close(struct output *output, bool keep, struct fault *fault)
{
	int problem = 0;

	if (!output->path)
		return true;
	if (keep && fsync(output->fd))
		problem = errno;
	if (close(output->fd) && !problem)
		problem = errno;
	if (!keep || problem)
		(void)unlink(output->path); /* it is ours; a rest says nothing */
	if (!problem || !keep)
		return true;
	return fault_errno(fault, problem, "cannot write %s", output->path);
}
