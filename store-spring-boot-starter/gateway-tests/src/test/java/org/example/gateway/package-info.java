/** Tests. */
@NullMarked
package org.example.gateway;

import org.jspecify.annotations.NullMarked;
