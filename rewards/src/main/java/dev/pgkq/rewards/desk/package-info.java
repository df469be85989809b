/** Where training orders its rewards: asked for outside, written down before they are used, never paid for twice. */
@NullMarked
package dev.pgkq.rewards.desk;

import org.jspecify.annotations.NullMarked;
