/** Spring Security's tokens, logins and authorizations in a store. */
@NullMarked
package dev.ttlstore.spring.security;

import org.jspecify.annotations.NullMarked;
