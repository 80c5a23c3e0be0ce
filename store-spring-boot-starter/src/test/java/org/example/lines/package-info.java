/** Tests. */
@NullMarked
package org.example.lines;

import org.jspecify.annotations.NullMarked;
