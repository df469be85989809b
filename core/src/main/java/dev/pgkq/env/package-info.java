/**
 * Environments: what an implementer of a task writes, the catalogue of tasks, the checker that tells him what is wrong,
 * and one task in plain Java. Nothing here knows of policies or training.
 */
@NullMarked
package dev.pgkq.env;

import org.jspecify.annotations.NullMarked;
