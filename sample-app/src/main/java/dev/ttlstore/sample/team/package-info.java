/** Teams: their quotas, their activity, and the page that shows it live. */
@NullMarked
package dev.ttlstore.sample.team;

import org.jspecify.annotations.NullMarked;
