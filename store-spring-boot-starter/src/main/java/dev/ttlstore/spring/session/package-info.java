/**
 * Holds Spring Session's repositories in a store, for servlet and reactive applications. Sessions and what a request
 * has changed of them come in. Each session goes out to one entry, which expires with the session, and Spring
 * Session's events report what happens to it.
 */
@NullMarked
package dev.ttlstore.spring.session;

import org.jspecify.annotations.NullMarked;
