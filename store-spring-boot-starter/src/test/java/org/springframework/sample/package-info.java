@NullMarked
package org.springframework.sample;

import org.jspecify.annotations.NullMarked;
