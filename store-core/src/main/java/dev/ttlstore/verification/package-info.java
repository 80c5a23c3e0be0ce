/**
 * What a verification of a store's data has found, and what a repair has done.
 *
 * <p>Belongs here: reports and progress, which engines make and users read. May depend on no other package of the store.
 */
@NullMarked
package dev.ttlstore.verification;

import org.jspecify.annotations.NullMarked;
