/** What training keeps for people to look at: what quadrature saw of each iteration, and the newest episodes. */
@NullMarked
package dev.pgkq.app.trace;

import org.jspecify.annotations.NullMarked;
