/* Distribution functions; see the header. */
#include "config.h"

#include "core/distribution.h"

#include <math.h>

/* The continued fraction of DLMF 8.17.22 by the modified Lentz method; converges
 * fast for x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	double h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m <= 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd =
			-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return h;
}

double distribution_beta(double a, double b, double x)
{
	double front;

	if (!(x > 0))
		return 0;
	if (!(x < 1))
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(a, b, x) / a;
	return 1 - front * fraction(b, a, 1 - x) / b;
}

double distribution_beta_inverse(double a, double b, double p)
{
	double low = 0, high = 1;

	for (int i = 0; i < 200 && low < high; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (distribution_beta(a, b, middle) < p)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

double distribution_t_two_sided(double t, double df)
{
	return distribution_beta(df / 2, 0.5, df / (df + t * t));
}

double distribution_t(double t, double df)
{
	double tail = distribution_t_two_sided(t, df) / 2;

	return t < 0 ? tail : 1 - tail;
}

struct inverse {
	double (*function)(double, double);
	double parameter, p;
};

static double excess(const struct inverse *of, double x)
{
	return of->function(x, of->parameter) - of->p;
}

/* Ridders' method: between LOW and HIGH all the time, and quick near the end. */
static double narrow(struct inverse of, double low, double high)
{
	double below = excess(&of, low), above = excess(&of, high);
	double last = low;

	for (int i = 0; i < 200 && below < 0 && above > 0; i++) {
		double middle = low + (high - low) / 2;
		double at = excess(&of, middle);
		double root = sqrt(at * at - below * above);
		double x = root > 0 ? middle - (middle - low) * at / root : middle;
		double value;

		if (middle <= low || middle >= high || at == 0.0)
			return middle;
		value = excess(&of, x);
		if (value == 0.0 || fabs(x - last) <= 1e-15 * fabs(x))
			return x;
		last = x;
		if (at < 0) {
			low = middle;
			below = at;
		} else {
			high = middle;
			above = at;
		}
		if (value < 0 && x > low) {
			low = x;
			below = value;
		} else if (value > 0 && x < high) {
			high = x;
			above = value;
		}
	}
	return below == 0.0 ? low : above == 0.0 ? high : low + (high - low) / 2;
}

/* Where a growing function passes P, from [-1, 1] outwards. */
static double invert(double (*function)(double, double), double parameter, double p)
{
	double low = -1, high = 1;

	while (function(low, parameter) > p && low > -1e300)
		low *= 2;
	while (function(high, parameter) < p && high < 1e300)
		high *= 2;
	return narrow((struct inverse){function, parameter, p}, low, high);
}

double distribution_t_inverse(double p, double df)
{
	/* The lower half keeps its digits where 1 - tail would lose them. */
	if (p > 0.5)
		return -invert(distribution_t, df, 1 - p);
	return invert(distribution_t, df, p);
}

static double normal(double x, double unused)
{
	(void)unused;
	return erfc(-x / sqrt(2.0)) / 2;
}

double distribution_normal_inverse(double p)
{
	if (p > 0.5)
		return -invert(normal, 0, 1 - p);
	return invert(normal, 0, p);
}
