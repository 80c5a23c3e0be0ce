/** Tests of what adapters remember. */
@NullMarked
package dev.ttlstore.spring.recent;

import org.jspecify.annotations.NullMarked;
