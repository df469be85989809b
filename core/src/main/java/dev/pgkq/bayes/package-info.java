/** Bayesian linear regression: what is believed about rewards after some of them were paid for, and how sure one can be. */
@NullMarked
package dev.pgkq.bayes;

import org.jspecify.annotations.NullMarked;
