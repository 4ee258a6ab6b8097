/*
 * The few distribution functions that verdicts need. Pure, no tables.
 * Regularised incomplete beta by its continued fraction (DLMF 8.17.22), the t
 * distribution through it, the normal through erfc; inverses by bisection, so
 * each answers for every argument in its range.
 */
#ifndef WEIR_CORE_DISTRIBUTION_H
#define WEIR_CORE_DISTRIBUTION_H

/* I_x(a, b), 0 <= x <= 1, a and b > 0. */
double distribution_beta(double a, double b, double x);

/* x with I_x(a, b) = p. */
double distribution_beta_inverse(double a, double b, double p);

/* Student's t with DF > 0 (need not be whole). */
double distribution_t(double t, double df);
double distribution_t_two_sided(double t, double df); /* P(|T| > |t|) */
double distribution_t_inverse(double p, double df);   /* 0 < p < 1 */

double distribution_normal_inverse(double p); /* 0 < p < 1 */

#endif
