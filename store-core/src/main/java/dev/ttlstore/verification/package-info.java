/**
 * Holds the reports of verifications and repairs. Findings come in from engines. Reports and progress go out to
 * applications and operators.
 */
@NullMarked
package dev.ttlstore.verification;

import org.jspecify.annotations.NullMarked;
