/**
 * The web application: shows run directories to people, live, and takes what they answer. It only reads what training
 * writes, so a run that is going, one that has ended and one of another process look alike. Who may see and do what is
 * decided in {@link dev.pgkq.app.web.AccessControl} and nowhere else.
 */
@NullMarked
package dev.pgkq.app.web;

import org.jspecify.annotations.NullMarked;
