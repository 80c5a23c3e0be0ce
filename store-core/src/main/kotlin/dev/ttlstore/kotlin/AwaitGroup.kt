package dev.ttlstore.kotlin

import dev.ttlstore.AsyncCounters
import dev.ttlstore.AsyncGroup
import dev.ttlstore.Expiry
import dev.ttlstore.WriteBatch
import kotlinx.coroutines.future.await
import java.util.Optional
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Puts a value, as [AsyncGroup.put] does. Returns the new version.
 *
 * Suspends until the write is committed and the listeners have run, without a thread. The call itself runs in the thread of its caller. It
 * throws what the blocking method throws. If the coroutine is cancelled, it waits no longer, but the write goes on: it may be part of a
 * commit already. While writes of 16 MiB wait for their commit, the call blocks, as [AsyncGroup] says.
 *
 * @since 0.1
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitPut(key: String, value: V, expiry: Expiry = Expiry.groupDefault()): Long =
    put(key, value, expiry).await()

/**
 * Puts a value with a ttl, as [AsyncGroup.put] does. Returns the new version.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitPut(key: String, value: V, ttl: Duration): Long =
    put(key, value, ttl.toJavaDuration()).await()

/**
 * Puts a value and returns the one before, or null, as [AsyncGroup.getAndPut] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitGetAndPut(key: String, value: V, expiry: Expiry = Expiry.groupDefault()): V? =
    getAndPut(key, value, expiry).await().getOrNull()

/**
 * Puts a value with a ttl and returns the one before, or null, as [AsyncGroup.getAndPut] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitGetAndPut(key: String, value: V, ttl: Duration): V? =
    getAndPut(key, value, ttl.toJavaDuration()).await().getOrNull()

/**
 * Puts a value under a new key that nobody can guess, as [AsyncGroup.add] does. Returns the key.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitAdd(value: V, expiry: Expiry = Expiry.groupDefault()): String = add(value, expiry).await()

/**
 * Puts a value with a ttl under a new key that nobody can guess, as [AsyncGroup.add] does. Returns the key.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitAdd(value: V, ttl: Duration): String = add(value, ttl.toJavaDuration()).await()

/**
 * Replaces the live value and returns the new one, or null if there is no live entry, as [AsyncGroup.update] does. The change runs in a
 * thread of the store, so it must not suspend.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitUpdate(key: String, change: (V) -> V): V? = update(key, change).await().getOrNull()

/**
 * Replaces the live value, or deletes the entry if the change returns null, as [AsyncGroup.updateOrDelete] does. Returns the new value, or
 * null.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitUpdateOrDelete(key: String, change: (V) -> V?): V? =
    updateOrDelete(key) { Optional.ofNullable(change(it)) }.await().getOrNull()

/**
 * Deletes an entry, as [AsyncGroup.delete] does. Returns whether there was a live one.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncGroup<*>.awaitDelete(key: String): Boolean = delete(key).await()

/**
 * Deletes an entry and returns its value, or null if there is no live entry, as [AsyncGroup.take] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitTake(key: String): V? = take(key).await().getOrNull()

/**
 * Returns the live value and sets its expiry, or returns null if there is no live entry, as [AsyncGroup.getAndExpire] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitGetAndExpire(key: String, expiry: Expiry): V? =
    getAndExpire(key, expiry).await().getOrNull()

/**
 * Returns the live value and sets its ttl, or returns null if there is no live entry, as [AsyncGroup.getAndExpire] does.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun <V : Any> AsyncGroup<V>.awaitGetAndExpire(key: String, ttl: Duration): V? =
    getAndExpire(key, ttl.toJavaDuration()).await().getOrNull()

/**
 * Sets the expiry of a live entry, as [AsyncGroup.expire] does. Returns whether there was one.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncGroup<*>.awaitExpire(key: String, expiry: Expiry): Boolean = expire(key, expiry).await()

/**
 * Sets the ttl of a live entry, counted from now, as [AsyncGroup.expire] does. Returns whether there was one.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncGroup<*>.awaitExpire(key: String, ttl: Duration): Boolean = expire(key, ttl.toJavaDuration()).await()

/**
 * Lets a live entry expire now, as [AsyncGroup.expireNow] does. Returns whether there was one.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncGroup<*>.awaitExpireNow(key: String): Boolean = expireNow(key).await()

/**
 * Makes a live entry permanent, as [AsyncGroup.persist] does. Returns whether there was one.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncGroup<*>.awaitPersist(key: String): Boolean = persist(key).await()

/**
 * Adds a number, and sets an expiry if this creates the entry, as [AsyncCounters.increment] does. Returns the new number.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncCounters.awaitIncrement(key: String, delta: Long = 1, onCreate: Expiry = Expiry.groupDefault()): Long =
    increment(key, delta, onCreate).await()

/**
 * Adds a number, and sets a ttl if this creates the entry, as [AsyncCounters.increment] does. Returns the new number.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun AsyncCounters.awaitIncrement(key: String, delta: Long, ttlOnCreate: Duration): Long =
    increment(key, delta, ttlOnCreate.toJavaDuration()).await()

/**
 * Writes the batch, as [WriteBatch.writeAsync] does. Returns whether its conditions held; if not, it has written nothing.
 *
 * @since 0.1
 * @see awaitPut
 */
public suspend fun WriteBatch.awaitWrite(): Boolean = writeAsync().await()
