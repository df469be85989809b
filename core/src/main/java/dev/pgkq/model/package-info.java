/** Models of rewards and returns, learned from paid rewards. */
@NullMarked
package dev.pgkq.model;

import org.jspecify.annotations.NullMarked;
