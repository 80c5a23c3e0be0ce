package dev.ttlstore.kotlin

import dev.ttlstore.Codec
import dev.ttlstore.KeyRange
import dev.ttlstore.Store
import dev.ttlstore.event.EntryPut
import dev.ttlstore.event.WatchOptions
import dev.ttlstore.event.WatchSignal
import dev.ttlstore.exception.StoreClosedException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.filterIsInstance
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transformWhile
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

/** Watches and entries as flows. */
class FlowTests {
    private val store = Store.inMemory()
    private val texts = store.group("texts")

    /** So that a collector knows since when it sees the changes. */
    private val fromNow = WatchOptions.defaults().withExisting()

    @AfterEach
    fun close() = store.close()

    private fun WatchSignal.isPutOf(key: String) = this is WatchSignal.Change && (event() as EntryPut).key() == key

    private fun Flow<WatchSignal>.keys() = filterIsInstance<WatchSignal.Change>().map { (it.event() as EntryPut).key() }

    @Test
    fun `changes come in their order, after what there was`() = runBlocking {
        texts.put("before", "value")
        val open = CompletableDeferred<Unit>()
        val seen =
            async(Dispatchers.Default) {
                texts
                    .watchAsFlow(fromNow)
                    .onEach { if (it is WatchSignal.UpToDate) open.complete(Unit) }
                    .take(5)
                    .toList()
            }
        open.await()
        repeat(3) { texts.put("key $it", "value") }
        val signals = seen.await()
        assertEquals("before", (signals[0] as WatchSignal.Existing).entry().key())
        assertEquals(listOf("key 0", "key 1", "key 2"), signals.drop(2).map { ((it as WatchSignal.Change).event() as EntryPut).key() })
    }

    /** They are more than the threads of the dispatcher, and all wait at the same time. */
    @Test
    fun `a flow that waits keeps no thread`() = runBlocking {
        val ready = Channel<Unit>(Channel.UNLIMITED)
        val collectors =
            List(200) {
                async {
                    texts
                        .watchAsFlow(fromNow)
                        .onEach { signal -> if (signal is WatchSignal.UpToDate) ready.send(Unit) }
                        .keys()
                        .first()
                }
            }
        repeat(200) { ready.receive() }
        texts.put("key", "value")
        assertEquals(setOf("key"), collectors.awaitAll().toSet())
        assertTrue(Thread.getAllStackTraces().keys.none { it.name.startsWith("ttl-store-watch") })
    }

    @Test
    fun `a collector that is cancelled closes its watch`() {
        val watched = WatchedStore(store)
        runBlocking {
            val waiting = CompletableDeferred<Unit>()
            val collector =
                launch { watched.watchAsFlow(fromNow.ofGroup("texts")).collect { waiting.complete(Unit) } }
            waiting.await()
            collector.cancelAndJoin()
            watched.watchAsFlow(fromNow.ofGroup("texts")).first()
        }
        assertEquals(listOf(true, true), watched.opened.map { it.isClosed })
    }

    @Test
    fun `a slow collector slows down no writer, and learns what it missed`() = runBlocking {
        val slow = CompletableDeferred<Unit>()
        val open = CompletableDeferred<Unit>()
        val seen =
            async(Dispatchers.Default) {
                texts
                    .watchAsFlow(fromNow.withCapacity(2))
                    .onEach {
                        if (it is WatchSignal.UpToDate) {
                            open.complete(Unit)
                            slow.await()
                        }
                    }.transformWhile {
                        emit(it)
                        !it.isPutOf("key 9")
                    }.toList()
            }
        open.await()
        repeat(10) { texts.put("key $it", "value") }
        slow.complete(Unit)
        val signals = seen.await()
        val missed = signals.filterIsInstance<WatchSignal.Gap>().sumOf { it.missed() }
        assertTrue(missed >= 7) // two are in the buffer, and one may be on its way
        assertEquals(10, missed + signals.count { it is WatchSignal.Change })
    }

    @Test
    fun `a flow ends with its store`() {
        val seen =
            runBlocking {
                val open = CompletableDeferred<Unit>()
                val all = async { store.watchAsFlow(fromNow.ofGroup("texts")).onEach { open.complete(Unit) }.toList() }
                open.await()
                store.close()
                all.await()
            }
        assertEquals(1, seen.size)
        assertThrows<StoreClosedException> { runBlocking { store.watchAsFlow().first() } }
    }

    @Test
    fun `a collector that throws ends its flow`() {
        val watched = WatchedStore(store)
        assertThrows<IllegalStateException> {
            runBlocking { watched.watchAsFlow(fromNow.ofGroup("texts")).collect { error("for the test") } }
        }
        assertTrue(watched.opened.single().isClosed)
    }

    @Test
    fun `entries and keys are read page by page, in other threads`() {
        val decoders = ConcurrentHashMap.newKeySet<Thread>()
        val decoded = AtomicInteger()
        val codec =
            object : Codec<String> {
                override fun encode(value: String) = value.encodeToByteArray()

                override fun decode(bytes: ByteArray): String {
                    decoders.add(Thread.currentThread())
                    decoded.incrementAndGet()
                    return bytes.decodeToString()
                }
            }
        val group = store.group("numbers", codec)
        val numbers = (1..3_000).associate { "%04d".format(it) to "$it" }
        group.putAll(numbers)
        runBlocking {
            assertEquals("0001", group.entriesAsFlow().first().key())
            assertTrue(decoded.get() < numbers.size)
            assertEquals(numbers.values.toList(), group.entriesAsFlow().map { it.value() }.toList())
            assertEquals(listOf("0009", "0008"), group.keysAsFlow(KeyRange.to("0010").reversed().limit(2)).toList())
            assertEquals(
                "0001",
                group
                    .entriesAsFlow()
                    .flowOn(Dispatchers.Default)
                    .first()
                    .key()
            )
        }
        assertTrue(Thread.currentThread() !in decoders)
    }

    @Test
    fun `a flow of entries that is cancelled reads no more`() = runBlocking {
        texts.putAll((1..3_000).associate { "%04d".format(it) to "value" })
        val first = CompletableDeferred<String>()
        val never = CompletableDeferred<Unit>()
        val collector =
            launch {
                texts.entriesAsFlow().collect {
                    first.complete(it.key())
                    never.await()
                }
            }
        assertEquals("0001", first.await())
        collector.cancelAndJoin()
    }
}
