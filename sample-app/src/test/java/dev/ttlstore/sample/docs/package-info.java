/**
 * Tests of every Markdown file of the project: its links, its length, and its examples, each of which is compiled, run, parsed or bound as it
 * stands on the page.
 */
@NullMarked
package dev.ttlstore.sample.docs;

import org.jspecify.annotations.NullMarked;
