/** Three nodes under load, whose processes and servers die, and what must be found after each round. */
@NullMarked
package dev.ttlstore.postgresql.campaign;

import org.jspecify.annotations.NullMarked;
