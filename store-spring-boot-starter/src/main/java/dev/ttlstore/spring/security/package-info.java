/**
 * Spring Security's one-time tokens, remember-me logins, authorized clients and authorizations in a store. Each entry
 * expires with its token or login. Hashes stand for secrets in keys.
 */
@NullMarked
package dev.ttlstore.spring.security;

import org.jspecify.annotations.NullMarked;
