package dev.pgkq.select;

import dev.pgkq.nn.Regression;

/**
 * The iteration for which episodes are selected.
 *
 * @param iteration 1, 2, …; keys random choices
 * @param allowed the most episodes that may be selected, where the selector decides how many
 * @param baseline V, as it is now
 */
public record Round(int iteration, int allowed, Regression baseline) {}
