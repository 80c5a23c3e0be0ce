/** The operator's login and page, and the access rules. */
@NullMarked
package dev.ttlstore.sample.operator;

import org.jspecify.annotations.NullMarked;
