/**
 * Builds the wheel: the Python package with all jars and a Java runtime in it. Runs while pgkq is built; no other code uses it.
 */
@NullMarked
package dev.pgkq.wheel;

import org.jspecify.annotations.NullMarked;
