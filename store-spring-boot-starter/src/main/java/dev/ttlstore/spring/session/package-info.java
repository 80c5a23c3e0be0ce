/**
 * Holds Spring Session's repository in a store. Sessions of requests come in, and the properties
 * {@code store.session}. They go out as one entry each, which expires with the session, and what happens to them as
 * events of Spring Session.
 */
@NullMarked
package dev.ttlstore.spring.session;

import org.jspecify.annotations.NullMarked;
