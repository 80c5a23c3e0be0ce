/**
 * Holds the events of committed changes, and the interfaces by which applications receive them: listeners, watches and
 * observers. Committed changes come in from the store, in commit order. Events and the signals of watches go out to
 * the application.
 */
@NullMarked
package dev.ttlstore.event;

import org.jspecify.annotations.NullMarked;
