package dev.ttlstore.kotlin

import dev.ttlstore.ExpiryEvents
import dev.ttlstore.Group
import dev.ttlstore.Keyspace
import dev.ttlstore.TypeRef
import dev.ttlstore.event.Subscription
import dev.ttlstore.expiry.ExpiryHandler

/**
 * Returns a group with values of a type, which may be generic, as [Keyspace.group] does: `store.group<List<Invite>>("batches")`.
 *
 * @param V the type of the values, for which the store's codecs have a codec
 * @param name the group's name
 * @throws IllegalArgumentException if the name is not valid
 * @throws dev.ttlstore.exception.CodecException if there is no codec for the type
 * @since 0.1
 */
public inline fun <reified V : Any> Keyspace.group(name: String): Group<V> = group(name, object : TypeRef<V>() {})

/**
 * Registers a handler for the expired entries of a group, as [ExpiryEvents.onExpired] does.
 *
 * @param V the type of the values
 * @param subscriber the name under which the store keeps the expiries that are still to be handled
 * @param group the group's name
 * @param handler handles an expiry in a thread of the store; it may throw, and is called again
 * @return the subscription; close it to stop the calls
 * @since 0.1
 */
public inline fun <reified V : Any> ExpiryEvents.onExpired(subscriber: String, group: String, handler: ExpiryHandler<V>): Subscription =
    onExpired(subscriber, group, object : TypeRef<V>() {}, handler)

/**
 * Registers a handler for the expired entries of the groups whose name starts with a prefix, as [ExpiryEvents.onExpiredPrefix] does.
 *
 * @param V the type of the values
 * @param subscriber the name under which the store keeps the expiries that are still to be handled
 * @param prefix the prefix, in which no character has a special meaning
 * @param handler handles an expiry in a thread of the store; it may throw, and is called again
 * @return the subscription; close it to stop the calls
 * @since 0.1
 */
public inline fun <reified V : Any> ExpiryEvents.onExpiredPrefix(
    subscriber: String,
    prefix: String,
    handler: ExpiryHandler<V>
): Subscription = onExpiredPrefix(subscriber, prefix, object : TypeRef<V>() {}, handler)
