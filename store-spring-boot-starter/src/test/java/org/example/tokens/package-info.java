/** An authorization server. */
@NullMarked
package org.example.tokens;

import org.jspecify.annotations.NullMarked;
