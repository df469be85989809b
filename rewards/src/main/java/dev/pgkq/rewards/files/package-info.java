/**
 * Files that are replaced atomically, error messages for files, and file formats that several packages share.
 *
 * <p>Only formats without knowledge of rewards or training belong here.
 */
@NullMarked
package dev.pgkq.rewards.files;

import org.jspecify.annotations.NullMarked;
