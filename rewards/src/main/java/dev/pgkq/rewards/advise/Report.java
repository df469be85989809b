package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Estimates;
import java.util.List;
import java.util.Optional;

/**
 * What is believed about the items of a round.
 *
 * @param round its number
 * @param complete whether no score is missing; the estimates are final then
 * @param missing identifiers of the items whose scores are missing
 * @param estimates for every item; empty if they were not wanted
 */
public record Report(int round, boolean complete, List<String> missing, Optional<Estimates> estimates) {}
