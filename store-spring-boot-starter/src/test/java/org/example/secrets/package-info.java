/** The application of the project's README, as it stands there. */
@NullMarked
package org.example.secrets;

import org.jspecify.annotations.NullMarked;
