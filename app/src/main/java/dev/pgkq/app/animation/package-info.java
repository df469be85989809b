/** Episodes as animated GIFs: the pictures that an environment renders, or its figure drawn from the side. */
@NullMarked
package dev.pgkq.app.animation;

import org.jspecify.annotations.NullMarked;
