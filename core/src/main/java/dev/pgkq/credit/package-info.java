/** How the rewards of an episode become the advantages of its steps, and how that looks from the rewards' side. */
@NullMarked
package dev.pgkq.credit;

import org.jspecify.annotations.NullMarked;
