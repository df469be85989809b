/** What is learned about rewards and returns from those that were paid for. */
@NullMarked
package dev.pgkq.model;

import org.jspecify.annotations.NullMarked;
