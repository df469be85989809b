/**
 * The web application: shows run directories live in a browser and accepts ratings. Apart from ratings it only reads
 * the files that training writes, so running and finished runs, and runs of other processes, are handled alike. Access
 * control is in {@link dev.pgkq.app.web.AccessControl} and nowhere else.
 */
@NullMarked
package dev.pgkq.app.web;

import org.jspecify.annotations.NullMarked;
