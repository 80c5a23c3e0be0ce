package dev.ttlstore.kotlin

import dev.ttlstore.ConditionalWrites
import dev.ttlstore.Entry
import dev.ttlstore.Expiry
import dev.ttlstore.Group
import dev.ttlstore.GroupReads
import dev.ttlstore.StoredEntries
import dev.ttlstore.StoredEntry
import dev.ttlstore.TextGroup
import dev.ttlstore.event.EntryPut
import dev.ttlstore.event.Watch
import dev.ttlstore.event.WatchSignal
import java.util.Optional
import java.util.OptionalLong
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Returns the live value, or null, as [GroupReads.get] does.
 *
 * @since 0.1
 */
public fun <V : Any> GroupReads<V>.getOrNull(key: String): V? = get(key).getOrNull()

/**
 * Returns the live entry with its version and times, or null, as [GroupReads.entry] does.
 *
 * @since 0.1
 */
public fun <V : Any> GroupReads<V>.entryOrNull(key: String): Entry<V>? = entry(key).getOrNull()

/**
 * Returns the value of an event of this group, or null if the event has none, as [GroupReads.valueOf] does.
 *
 * @since 0.1
 */
public fun <V : Any> GroupReads<V>.valueOfOrNull(event: EntryPut): V? = valueOf(event).getOrNull()

/**
 * Deletes an entry and returns its value, or null if there is no live entry, as [Group.take] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.takeOrNull(key: String): V? = take(key).getOrNull()

/**
 * Deletes an entry and returns it, or null if there is no live entry, as [Group.takeEntry] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.takeEntryOrNull(key: String): Entry<V>? = takeEntry(key).getOrNull()

/**
 * Puts a value and returns the one before, or null, as [Group.getAndPut] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.getAndPutOrNull(key: String, value: V, expiry: Expiry = Expiry.groupDefault()): V? =
    getAndPut(key, value, expiry).getOrNull()

/**
 * Puts a value with a ttl and returns the one before, or null, as [Group.getAndPut] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.getAndPutOrNull(key: String, value: V, ttl: Duration): V? =
    getAndPut(key, value, ttl.toJavaDuration()).getOrNull()

/**
 * Returns the live value and sets its expiry, or returns null if there is no live entry, as [Group.getAndExpire] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.getAndExpireOrNull(key: String, expiry: Expiry): V? = getAndExpire(key, expiry).getOrNull()

/**
 * Returns the live value and sets its ttl, or returns null if there is no live entry, as [Group.getAndExpire] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.getAndExpireOrNull(key: String, ttl: Duration): V? = getAndExpire(key, ttl.toJavaDuration()).getOrNull()

/**
 * Replaces the live value and returns the new one, or null if there is no live entry, as [Group.update] does.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.updateOrNull(key: String, change: (V) -> V): V? = update(key, change).getOrNull()

/**
 * Replaces the live value, or deletes the entry if the change returns null, as [Group.updateOrDelete] does. Returns the new value, or
 * null.
 *
 * @since 0.1
 */
public fun <V : Any> Group<V>.updateOrDeleteOrNull(key: String, change: (V) -> V?): V? =
    updateOrDelete(key) { Optional.ofNullable(change(it)) }.getOrNull()

/**
 * Returns the live value, or puts one and returns null, as [ConditionalWrites.getAndPutIfAbsent] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.getAndPutIfAbsentOrNull(key: String, value: V, expiry: Expiry = Expiry.groupDefault()): V? =
    getAndPutIfAbsent(key, value, expiry).getOrNull()

/**
 * Returns the live value, or puts one with a ttl and returns null, as [ConditionalWrites.getAndPutIfAbsent] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.getAndPutIfAbsentOrNull(key: String, value: V, ttl: Duration): V? =
    getAndPutIfAbsent(key, value, ttl.toJavaDuration()).getOrNull()

/**
 * Puts a value and returns the new version, or null if there is a live entry, as [ConditionalWrites.putIfAbsent] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.putIfAbsentOrNull(key: String, value: V, expiry: Expiry = Expiry.groupDefault()): Long? =
    putIfAbsent(key, value, expiry).getOrNull()

/**
 * Puts a value, with a ttl, and returns the new version, or null if there is a live entry, as [ConditionalWrites.putIfAbsent] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.putIfAbsentOrNull(key: String, value: V, ttl: Duration): Long? =
    putIfAbsent(key, value, ttl.toJavaDuration()).getOrNull()

/**
 * Replaces the value of a live entry and returns the new version, or null if there is none, as [ConditionalWrites.putIfPresent] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.putIfPresentOrNull(key: String, value: V, expiry: Expiry = Expiry.groupDefault()): Long? =
    putIfPresent(key, value, expiry).getOrNull()

/**
 * Replaces the value of a live entry, with a ttl, and returns the new version, or null if there is none, as
 * [ConditionalWrites.putIfPresent] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.putIfPresentOrNull(key: String, value: V, ttl: Duration): Long? =
    putIfPresent(key, value, ttl.toJavaDuration()).getOrNull()

/**
 * Replaces an expected value and returns the new version, or null if the live entry does not hold it, as [ConditionalWrites.replace] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.replaceOrNull(key: String, expected: V, value: V, expiry: Expiry = Expiry.groupDefault()): Long? =
    replace(key, expected, value, expiry).getOrNull()

/**
 * Replaces an expected value, with a ttl, and returns the new version, or null if the live entry does not hold it, as
 * [ConditionalWrites.replace] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.replaceOrNull(key: String, expected: V, value: V, ttl: Duration): Long? =
    replace(key, expected, value, ttl.toJavaDuration()).getOrNull()

/**
 * Replaces the value of an expected version and returns the new version, or null if the live entry does not have it, as
 * [ConditionalWrites.replaceVersion] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.replaceVersionOrNull(
    key: String,
    version: Long,
    value: V,
    expiry: Expiry = Expiry.groupDefault()
): Long? = replaceVersion(key, version, value, expiry).getOrNull()

/**
 * Replaces the value of an expected version, with a ttl, and returns the new version, or null if the live entry does not have it, as
 * [ConditionalWrites.replaceVersion] does.
 *
 * @since 0.1
 */
public fun <V : Any> ConditionalWrites<V>.replaceVersionOrNull(key: String, version: Long, value: V, ttl: Duration): Long? =
    replaceVersion(key, version, value, ttl.toJavaDuration()).getOrNull()

/**
 * Splits the live text at a separator, or returns null if there is no live entry, as [TextGroup.split] does.
 *
 * @since 0.1
 */
public fun TextGroup.splitOrNull(key: String, separator: String): List<String>? = split(key, separator).getOrNull()

/**
 * Splits the live text at white space, or returns null if there is no live entry, as [TextGroup.fields] does.
 *
 * @since 0.1
 */
public fun TextGroup.fieldsOrNull(key: String): List<String>? = fields(key).getOrNull()

/**
 * Reads a live entry of any group, or returns null, as [StoredEntries.entry] does.
 *
 * @since 0.1
 */
public fun StoredEntries.entryOrNull(group: String, key: String): StoredEntry? = entry(group, key).getOrNull()

/**
 * Takes the next signal, or returns null if there is none at the moment, as [Watch.poll] does.
 *
 * @since 0.1
 */
public fun Watch.pollOrNull(): WatchSignal? = poll().getOrNull()

/**
 * Waits for the next signal in this thread and takes it, or returns null if the time is over or the watch is closed, as [Watch.poll] does.
 *
 * @since 0.1
 */
public fun Watch.pollOrNull(timeout: Duration): WatchSignal? = poll(timeout.toJavaDuration()).getOrNull()

internal fun OptionalLong.getOrNull(): Long? = if (isPresent) asLong else null
