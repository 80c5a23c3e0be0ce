/** Tests that the pages about properties, meters, groups and failures list what the starter has, and nothing else. */
@NullMarked
package dev.ttlstore.spring.documents;

import org.jspecify.annotations.NullMarked;
