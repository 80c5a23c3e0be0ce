/** Servers and folders of benchmarks. */
@NullMarked
package dev.ttlstore.benchmark.server;

import org.jspecify.annotations.NullMarked;
