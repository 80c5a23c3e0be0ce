/** Spring Session's sessions in a store. */
@NullMarked
package dev.ttlstore.spring.session;

import org.jspecify.annotations.NullMarked;
