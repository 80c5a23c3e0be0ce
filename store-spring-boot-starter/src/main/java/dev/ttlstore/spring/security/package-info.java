/**
 * Holds Spring Security's one-time tokens, remember-me logins, authorized clients, authorizations, consents and OpenID
 * logins in a store. Calls of Spring Security's interfaces come in, blocking or reactive. Entries go out that expire
 * with their token or login, and hashes stand for secrets in keys.
 */
@NullMarked
package dev.ttlstore.spring.security;

import org.jspecify.annotations.NullMarked;
