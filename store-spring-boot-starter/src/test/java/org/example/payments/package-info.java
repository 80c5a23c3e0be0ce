/** A web application whose requests take effect once, as a user writes it. */
@NullMarked
package org.example.payments;

import org.jspecify.annotations.NullMarked;
