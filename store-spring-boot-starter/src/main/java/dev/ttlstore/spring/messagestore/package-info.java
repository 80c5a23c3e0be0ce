/**
 * Holds Spring Integration's message store. Messages and changes of message groups come in. Each message goes out to
 * an entry of its own, and so does the head of each message group; a change writes all its entries at once, or none if
 * another instance has changed the head.
 */
@NullMarked
package dev.ttlstore.spring.messagestore;

import org.jspecify.annotations.NullMarked;
