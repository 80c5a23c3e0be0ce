/** An application with cached methods, as a user writes it. */
@NullMarked
package org.example.shop;

import org.jspecify.annotations.NullMarked;
