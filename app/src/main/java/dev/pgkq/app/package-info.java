/** The main class and the version. */
@NullMarked
package dev.pgkq.app;

import org.jspecify.annotations.NullMarked;
