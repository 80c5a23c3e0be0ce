/**
 * Holds Spring Security's one-time tokens, remember-me logins, authorized clients and authorizations in a store.
 * Tokens and logins come in from Spring Security, with the properties of each. Entries go out that expire with what
 * they hold, under hashes instead of secrets.
 */
@NullMarked
package dev.ttlstore.spring.security;

import org.jspecify.annotations.NullMarked;
