/**
 * Spring Session's repositories in a store, for servlet and reactive applications. Each session is one entry, which
 * expires with the session. Spring Session's events report what happens to it.
 */
@NullMarked
package dev.ttlstore.spring.session;

import org.jspecify.annotations.NullMarked;
