/* Reproducible series; see the header. */
#include "series.h"

#include <math.h>

static uint64_t state;

void series_seed(uint64_t seed)
{
	state = seed;
}

double series_uniform(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

double series_normal(void)
{
	double u1 = series_uniform();
	double u2 = series_uniform();

	return sqrt(-2 * log(u1)) * cos(2 * 3.14159265358979323846 * u2);
}

void series_ar(double *z, size_t n, uint64_t seed, double rho)
{
	series_seed(seed);
	z[0] = series_normal();
	for (size_t t = 1; t < n; t++)
		z[t] = rho * z[t - 1] + sqrt(1 - rho * rho) * series_normal();
}

void series_lognormal(
	double *x, size_t n, uint64_t seed, double rho, double sigma, double scale)
{
	series_ar(x, n, seed, rho);
	for (size_t t = 0; t < n; t++)
		x[t] = scale * exp(sigma * x[t] - sigma * sigma / 2);
}
