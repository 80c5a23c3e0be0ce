package dev.ttlstore.kotlin

import dev.ttlstore.AsyncBulkWrites
import dev.ttlstore.AsyncConditionalWrites
import dev.ttlstore.Expiry
import dev.ttlstore.KeyRange
import kotlinx.coroutines.future.await
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Puts a value and returns the new version, or null if there is a live entry, as [AsyncConditionalWrites.putIfAbsent] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitPutIfAbsent(
    key: String,
    value: V,
    expiry: Expiry = Expiry.groupDefault()
): Long? = putIfAbsent(key, value, expiry).await().getOrNull()

/**
 * Puts a value, with a ttl, and returns the new version, or null if there is a live entry, as [AsyncConditionalWrites.putIfAbsent] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitPutIfAbsent(key: String, value: V, ttl: Duration): Long? =
    putIfAbsent(key, value, ttl.toJavaDuration()).await().getOrNull()

/**
 * Replaces the value of a live entry and returns the new version, or null if there is none, as [AsyncConditionalWrites.putIfPresent] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitPutIfPresent(
    key: String,
    value: V,
    expiry: Expiry = Expiry.groupDefault()
): Long? = putIfPresent(key, value, expiry).await().getOrNull()

/**
 * Replaces the value of a live entry, with a ttl, and returns the new version, or null if there is none, as
 * [AsyncConditionalWrites.putIfPresent] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitPutIfPresent(key: String, value: V, ttl: Duration): Long? =
    putIfPresent(key, value, ttl.toJavaDuration()).await().getOrNull()

/**
 * Replaces an expected value and returns the new version, or null if the live entry does not hold it, as [AsyncConditionalWrites.replace]
 * does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitReplace(
    key: String,
    expected: V,
    value: V,
    expiry: Expiry = Expiry.groupDefault()
): Long? = replace(key, expected, value, expiry).await().getOrNull()

/**
 * Replaces an expected value, with a ttl, and returns the new version, or null if the live entry does not hold it, as
 * [AsyncConditionalWrites.replace] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitReplace(key: String, expected: V, value: V, ttl: Duration): Long? =
    replace(key, expected, value, ttl.toJavaDuration()).await().getOrNull()

/**
 * Replaces the value of an expected version and returns the new version, or null if the live entry does not have it, as
 * [AsyncConditionalWrites.replaceVersion] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitReplaceVersion(
    key: String,
    version: Long,
    value: V,
    expiry: Expiry = Expiry.groupDefault()
): Long? = replaceVersion(key, version, value, expiry).await().getOrNull()

/**
 * Replaces the value of an expected version, with a ttl, and returns the new version, or null if the live entry does not have it, as
 * [AsyncConditionalWrites.replaceVersion] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitReplaceVersion(key: String, version: Long, value: V, ttl: Duration): Long? =
    replaceVersion(key, version, value, ttl.toJavaDuration()).await().getOrNull()

/**
 * Returns the live value, or puts one and returns null, as [AsyncConditionalWrites.getAndPutIfAbsent] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitGetAndPutIfAbsent(
    key: String,
    value: V,
    expiry: Expiry = Expiry.groupDefault()
): V? = getAndPutIfAbsent(key, value, expiry).await().getOrNull()

/**
 * Returns the live value, or puts one with a ttl and returns null, as [AsyncConditionalWrites.getAndPutIfAbsent] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitGetAndPutIfAbsent(key: String, value: V, ttl: Duration): V? =
    getAndPutIfAbsent(key, value, ttl.toJavaDuration()).await().getOrNull()

/**
 * Deletes an entry if it holds an expected value, as [AsyncConditionalWrites.delete] does. Returns whether it did.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncConditionalWrites<V>.awaitDelete(key: String, expected: V): Boolean = delete(key, expected).await()

/**
 * Deletes an entry if it has an expected version, as [AsyncConditionalWrites.deleteVersion] does. Returns whether it did.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncConditionalWrites<*>.awaitDeleteVersion(key: String, version: Long): Boolean = deleteVersion(key, version).await()

/**
 * Puts values, all or none, as [AsyncBulkWrites.putAll] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncBulkWrites<V>.awaitPutAll(values: Map<String, V>, expiry: Expiry = Expiry.groupDefault()) {
    putAll(values, expiry).await()
}

/**
 * Puts values with a ttl, all or none, as [AsyncBulkWrites.putAll] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncBulkWrites<V>.awaitPutAll(values: Map<String, V>, ttl: Duration) {
    putAll(values, ttl.toJavaDuration()).await()
}

/**
 * Deletes entries in one commit, as [AsyncBulkWrites.deleteAll] does. Returns how many live ones there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitDeleteAll(keys: Collection<String>): Long = deleteAll(keys).await()

/**
 * Deletes all entries, as [AsyncBulkWrites.clear] does. Returns how many live ones there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitClear(): Long = clear().await()

/**
 * Deletes the entries of a range in small commits, as [AsyncBulkWrites.clear] does. Returns how many there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitClear(range: KeyRange): Long = clear(range).await()

/**
 * Deletes the entries of at least some age in small commits, as [AsyncBulkWrites.sweep] does. Returns how many there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitSweep(maxAge: Duration): Long = sweep(maxAge.toJavaDuration()).await()

/**
 * Lets all live entries expire now, as [AsyncBulkWrites.expireAllNow] does. Returns how many there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitExpireAllNow(): Long = expireAllNow().await()

/**
 * Sets the expiry of all live entries, as [AsyncBulkWrites.expireAll] does. Returns how many there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitExpireAll(expiry: Expiry): Long = expireAll(expiry).await()

/**
 * Sets the ttl of all live entries, counted from now, as [AsyncBulkWrites.expireAll] does. Returns how many there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitExpireAll(ttl: Duration): Long = expireAll(ttl.toJavaDuration()).await()

/**
 * Sets the expiry of the live entries of a range, as [AsyncBulkWrites.expireAll] does. Returns how many there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitExpireAll(range: KeyRange, expiry: Expiry): Long = expireAll(range, expiry).await()

/**
 * Sets the expiry of the live entries among some keys, as [AsyncBulkWrites.expireAll] does. Returns how many there were.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncBulkWrites<*>.awaitExpireAll(keys: Collection<String>, expiry: Expiry): Long = expireAll(keys, expiry).await()
