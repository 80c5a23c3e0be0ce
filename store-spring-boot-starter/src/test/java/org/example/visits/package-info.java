/** A reactive application whose users log in. */
@NullMarked
package org.example.visits;

import org.jspecify.annotations.NullMarked;
