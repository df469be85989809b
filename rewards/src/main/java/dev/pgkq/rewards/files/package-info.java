/** Files that are written whole or not at all, and formats that several rooms share. */
@NullMarked
package dev.pgkq.rewards.files;

import org.jspecify.annotations.NullMarked;
