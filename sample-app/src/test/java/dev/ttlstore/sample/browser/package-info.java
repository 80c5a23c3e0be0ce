/** What people see and do, in a real browser. */
@NullMarked
package dev.ttlstore.sample.browser;

import org.jspecify.annotations.NullMarked;
