/** Tests of sessions in a store. */
@NullMarked
package dev.ttlstore.spring.session;

import org.jspecify.annotations.NullMarked;
