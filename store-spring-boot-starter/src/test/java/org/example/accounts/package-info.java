/** An application whose users log in. */
@NullMarked
package org.example.accounts;

import org.jspecify.annotations.NullMarked;
