/** Makes a report of what JMH has measured. */
@NullMarked
package dev.ttlstore.benchmark.report;

import org.jspecify.annotations.NullMarked;
