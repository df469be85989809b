/** What differs from machine to machine: where caches live, which operating system and processor this is. */
@NullMarked
package dev.pgkq.platform;

import org.jspecify.annotations.NullMarked;
