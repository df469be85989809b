/** What differs between machines: operating system, processor, cache folder. */
@NullMarked
package dev.pgkq.platform;

import org.jspecify.annotations.NullMarked;
