/** What differs between machines: operating system, processor, cache folder and the native libraries in it, files and pipes. */
@NullMarked
package dev.pgkq.platform;

import org.jspecify.annotations.NullMarked;
