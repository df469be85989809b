/**
 * Matrix products through OpenBLAS, elementwise work through the Vector API, each behind an interface with a twin in
 * plain Java. Networks and Gaussian processes stand on this; it knows neither.
 */
@NullMarked
package dev.pgkq.linalg;

import org.jspecify.annotations.NullMarked;
