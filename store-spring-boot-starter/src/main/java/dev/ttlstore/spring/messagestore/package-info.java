/**
 * Spring Integration's message store. A message is an entry, and so is the head of a group of messages, which has the state
 * of the group. All are in one group of the store.
 */
@NullMarked
package dev.ttlstore.spring.messagestore;

import org.jspecify.annotations.NullMarked;
