package dev.ttlstore.kotlin

import dev.ttlstore.Entry
import dev.ttlstore.GroupReads
import dev.ttlstore.KeyRange
import dev.ttlstore.LiveKeyspace
import dev.ttlstore.event.Watch
import dev.ttlstore.event.WatchOptions
import dev.ttlstore.event.WatchSignal
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel.Factory.RENDEZVOUS
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext
import java.util.stream.Stream
import kotlin.coroutines.resume

private const val CHUNK = 16

/**
 * Returns the changes of the store or scope as a flow. Each collection opens a watch, as [LiveKeyspace.watch] does, and closes it at its
 * end, also if it is cancelled. It sees the changes since then; to learn when that is, start with the existing entries. While it waits, it
 * keeps no thread. It completes when the store is closed, or its watches are.
 *
 * A slow collector slows down no writer. Its changes wait in the buffer of the watch, and where some did not fit, it gets a
 * [WatchSignal.Gap]. The flow itself has no buffer; an operator that adds one, such as `buffer`, comes after that of the watch.
 *
 * @param options what to watch, where to start, the capacity of the buffer, and what happens if the buffer is full
 * @since 0.1
 */
public fun LiveKeyspace.watchAsFlow(options: WatchOptions = WatchOptions.defaults()): Flow<WatchSignal> = signals { watch(options) }

/**
 * Returns the changes of the group as a flow, as [LiveKeyspace.watchAsFlow] does.
 *
 * @param options what to watch, where to start, the capacity of the buffer, and what happens if the buffer is full
 * @throws IllegalArgumentException when it is collected, if the options name another group
 * @since 0.1
 */
public fun GroupReads<*>.watchAsFlow(options: WatchOptions = WatchOptions.defaults()): Flow<WatchSignal> = signals { watch(options) }

/**
 * Returns the live entries of a range in its order as a flow, as [GroupReads.entries] does. It reads page by page as the collector goes on,
 * in threads of [Dispatchers.IO], and may or may not show writes that happen meanwhile. The groups of a transaction cannot be read so,
 * because a transaction belongs to one thread.
 *
 * @param range the range
 * @since 0.1
 */
public fun <V : Any> GroupReads<V>.entriesAsFlow(range: KeyRange = KeyRange.all()): Flow<Entry<V>> = items { entries(range) }

/**
 * Returns the keys of the live entries of a range in its order as a flow, as [entriesAsFlow] does.
 *
 * @param range the range
 * @since 0.1
 */
public fun GroupReads<*>.keysAsFlow(range: KeyRange = KeyRange.all()): Flow<String> = items { keys(range) }

/** What the collector has not taken yet stays in the buffer of the watch. */
private fun signals(open: () -> Watch): Flow<WatchSignal> = flow {
    open().use { watch ->
        var open = true
        while (open) {
            val closed = watch.isClosed // asked first: afterwards, no change comes any more
            val signal = watch.pollOrNull()
            when {
                signal != null -> emit(signal)
                closed -> open = false
                else -> watch.awaitReady()
            }
        }
    }
}.flowOn(Dispatchers.IO).buffer(RENDEZVOUS)

/** The writer's thread only hands over to [Dispatchers.IO]. A cancelled collection closes the watch, which calls the action in vain. */
private suspend fun Watch.awaitReady() = suspendCancellableCoroutine { continuation -> onReady { continuation.resume(Unit) } }

/** Some at a time, because a change of threads takes longer than to read an entry; few, because entries may be large. */
private fun <T : Any> items(open: () -> Stream<T>): Flow<T> = flow {
    open().use { stream ->
        val iterator = stream.iterator()
        do {
            val some = withContext(Dispatchers.IO) { iterator.asSequence().take(CHUNK).toList() }
            some.forEach { emit(it) }
        } while (some.size == CHUNK)
    }
}
