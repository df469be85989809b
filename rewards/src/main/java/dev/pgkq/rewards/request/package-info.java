/** An episode as an oracle gets it, and as JSON; logged episodes have the same form. */
@NullMarked
package dev.pgkq.rewards.request;

import org.jspecify.annotations.NullMarked;
