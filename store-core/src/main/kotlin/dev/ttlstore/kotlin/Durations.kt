package dev.ttlstore.kotlin

import dev.ttlstore.BulkWrites
import dev.ttlstore.Counters
import dev.ttlstore.Group
import dev.ttlstore.GroupSettings
import dev.ttlstore.Keyspace
import dev.ttlstore.StoreBuilder
import dev.ttlstore.StoreCopy
import dev.ttlstore.expiry.ExpirySettings
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Puts a value with a ttl, as [Group.put] does. Returns the new version. An infinite ttl is refused, because a sum of durations may be
 * infinite by mistake; for an entry that does not expire, pass [dev.ttlstore.Expiry.never].
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.put(key: String, value: V, ttl: Duration): Long = put(key, value, ttl.toJavaDuration())

/**
 * Puts a value with a ttl under a new key that nobody can guess, as [Group.add] does. Returns the key.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.add(value: V, ttl: Duration): String = add(value, ttl.toJavaDuration())

/**
 * Returns the live value, or loads and puts one with a ttl, as [Group.getOrPut] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.getOrPut(key: String, ttl: Duration, loader: () -> V): V = getOrPut(key, ttl.toJavaDuration(), loader)

/**
 * Sets the ttl of a live entry, counted from now, as [Group.expire] does. Returns whether there was one.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.expire(key: String, ttl: Duration): Boolean = expire(key, ttl.toJavaDuration())

/**
 * Puts values with a ttl, all or none, as [BulkWrites.putAll] does.
 *
 * @since 0.1
 */
public fun <V : Any> BulkWrites<V>.putAll(values: Map<String, V>, ttl: Duration): Unit = putAll(values, ttl.toJavaDuration())

/**
 * Sets the ttl of all live entries, counted from now, as [BulkWrites.expireAll] does. Returns how many there were.
 *
 * @since 0.1
 */
public fun BulkWrites<*>.expireAll(ttl: Duration): Long = expireAll(ttl.toJavaDuration())

/**
 * Deletes the entries of at least some age, as [BulkWrites.sweep] does. Returns how many there were.
 *
 * @since 0.1
 */
public fun BulkWrites<*>.sweep(maxAge: Duration): Long = sweep(maxAge.toJavaDuration())

/**
 * Deletes the entries of at least some age from all groups, as [Keyspace.sweep] does. Returns how many there were.
 *
 * @since 0.1
 */
public fun Keyspace.sweep(maxAge: Duration): Long = sweep(maxAge.toJavaDuration())

/**
 * Adds a number, and sets a ttl if this creates the entry, as [Counters.increment] does. Returns the new number.
 *
 * @since 0.1
 */
public fun Counters.increment(key: String, delta: Long, ttlOnCreate: Duration): Long = increment(key, delta, ttlOnCreate.toJavaDuration())

/**
 * Returns the settings with a default ttl, as [GroupSettings.withTtl] does.
 *
 * @since 0.1
 */
public fun GroupSettings.withTtl(ttl: Duration): GroupSettings = withTtl(ttl.toJavaDuration())

/**
 * Returns the settings with a maximum age, as [GroupSettings.withMaxAge] does.
 *
 * @since 0.1
 */
public fun GroupSettings.withMaxAge(maxAge: Duration): GroupSettings = withMaxAge(maxAge.toJavaDuration())

/**
 * Returns the settings with a time for which expired entries are kept, as [GroupSettings.withRetention] does.
 *
 * @since 0.1
 */
public fun GroupSettings.withRetention(retention: Duration): GroupSettings = withRetention(retention.toJavaDuration())

/**
 * Returns the settings with other delays between attempts, as [ExpirySettings.withDelays] does.
 *
 * @since 0.1
 */
public fun ExpirySettings.withDelays(first: Duration, longest: Duration): ExpirySettings =
    withDelays(first.toJavaDuration(), longest.toJavaDuration())

/**
 * Returns the settings with another limit for the time of a call, as [ExpirySettings.withTimeout] does.
 *
 * @since 0.1
 */
public fun ExpirySettings.withTimeout(longest: Duration): ExpirySettings = withTimeout(longest.toJavaDuration())

/**
 * Sets how often the store purges, as [StoreBuilder.purgeInterval] does.
 *
 * @since 0.1
 */
public fun StoreBuilder.purgeInterval(interval: Duration): StoreBuilder = purgeInterval(interval.toJavaDuration())

/**
 * Sets how long to wait for the lock of the file, as [StoreBuilder.lockTimeout] does.
 *
 * @since 0.1
 */
public fun StoreBuilder.lockTimeout(timeout: Duration): StoreBuilder = lockTimeout(timeout.toJavaDuration())

/**
 * Sets how long closing waits, as [StoreBuilder.closeTimeout] does.
 *
 * @since 0.1
 */
public fun StoreBuilder.closeTimeout(timeout: Duration): StoreBuilder = closeTimeout(timeout.toJavaDuration())

/**
 * Sets how long expired entries are kept, as [StoreBuilder.retention] does.
 *
 * @since 0.1
 */
public fun StoreBuilder.retention(time: Duration): StoreBuilder = retention(time.toJavaDuration())

/**
 * Sets how long to wait for the lock of a file, as [StoreCopy.lockTimeout] does.
 *
 * @since 0.1
 */
public fun StoreCopy.lockTimeout(timeout: Duration): StoreCopy = lockTimeout(timeout.toJavaDuration())
