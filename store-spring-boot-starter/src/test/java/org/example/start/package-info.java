/** The application of the page "Getting started", as it stands there. */
@NullMarked
package org.example.start;

import org.jspecify.annotations.NullMarked;
