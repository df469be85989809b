/**
 * Environments in Python, stepped by worker processes that run {@code worker.py}. Only this package knows their protocol; to
 * everybody else they are tasks like any other.
 */
@NullMarked
package dev.pgkq.gym;

import org.jspecify.annotations.NullMarked;
