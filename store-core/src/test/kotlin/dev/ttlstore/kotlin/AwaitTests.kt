package dev.ttlstore.kotlin

import dev.ttlstore.Expiry
import dev.ttlstore.KeyRange
import dev.ttlstore.Store
import dev.ttlstore.exception.StoreClosedException
import kotlinx.coroutines.CoroutineStart.UNDISPATCHED
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.minutes
import kotlin.time.toJavaDuration

/** Writes that suspend. */
class AwaitTests {
    private val store = Store.inMemory()
    private val texts = store.group("texts")
    private val writes = texts.async()

    @AfterEach
    fun close() = store.close()

    @Test
    fun `writes suspend until they are committed`() = runBlocking {
        val version = writes.awaitPut("key", "a", 5.minutes)
        assertEquals(version, texts.entryOrNull("key")?.version())
        assertEquals("a", writes.awaitGetAndPut("key", "b"))
        assertEquals("b", writes.awaitGetAndPut("key", "c", 5.minutes))
        assertEquals("c!", writes.awaitUpdate("key") { "$it!" })
        assertEquals("d", writes.awaitUpdateOrDelete("key") { "d" })
        assertEquals("d", writes.awaitGetAndExpire("key", 5.minutes))
        assertEquals("d", writes.awaitGetAndExpire("key", Expiry.never()))
        assertTrue(writes.awaitExpire("key", 5.minutes))
        assertTrue(writes.awaitExpire("key", Expiry.after(5.minutes.toJavaDuration())))
        assertTrue(writes.awaitPersist("key"))
        assertEquals("d", writes.awaitTake("key"))
        assertNull(writes.awaitTake("key"))
        writes.awaitPut("key", "e")
        assertTrue(writes.awaitExpireNow("key"))
        assertTrue(!writes.awaitDelete("key"))
        assertEquals(listOf("f", "g"), listOf(writes.awaitAdd("f"), writes.awaitAdd("g", 5.minutes)).map(texts::getOrNull))
    }

    @Test
    fun `conditional writes suspend`() = runBlocking {
        val version = writes.awaitPutIfAbsent("key", "a")!!
        assertNull(writes.awaitPutIfAbsent("key", "b", 5.minutes))
        assertEquals("a", writes.awaitGetAndPutIfAbsent("key", "b"))
        assertNull(writes.awaitGetAndPutIfAbsent("other", "b", 5.minutes))
        val next = writes.awaitReplaceVersion("key", version, "b")!!
        assertNull(writes.awaitReplaceVersion("key", version, "c", 5.minutes))
        assertTrue(writes.awaitReplace("key", "b", "c")!! > next)
        assertNull(writes.awaitReplace("key", "b", "c", 5.minutes))
        assertTrue(writes.awaitPutIfPresent("key", "d") != null)
        assertNull(writes.awaitPutIfPresent("none", "d", 5.minutes))
        assertTrue(!writes.awaitDelete("key", "c"))
        assertTrue(!writes.awaitDeleteVersion("key", version))
    }

    @Test
    fun `writes of many entries suspend`() = runBlocking {
        writes.awaitPutAll(mapOf("a" to "1", "b" to "2"))
        writes.awaitPutAll(mapOf("c" to "3"), 5.minutes)
        assertEquals(3, writes.awaitExpireAll(5.minutes))
        assertEquals(3, writes.awaitExpireAll(Expiry.never()))
        assertEquals(1, writes.awaitExpireAll(KeyRange.prefix("a"), Expiry.never()))
        assertEquals(1, writes.awaitExpireAll(listOf("a", "none"), Expiry.never()))
        assertEquals(0, writes.awaitSweep(1.days))
        assertEquals(1, writes.awaitClear(KeyRange.prefix("a")))
        assertEquals(1, writes.awaitDeleteAll(listOf("b")))
        assertEquals(1, writes.awaitExpireAllNow())
        assertEquals(0, writes.awaitClear())
    }

    @Test
    fun `counters and batches suspend`() = runBlocking {
        val visits = store.counters("visits").async()
        assertEquals(1, visits.awaitIncrement("key"))
        assertEquals(3, visits.awaitIncrement("key", 2, 5.minutes))
        assertTrue(store.batch().put(texts, "key", "a", Expiry.never()).awaitWrite())
        assertTrue(
            !store
                .batch()
                .requireAbsent(texts, "key")
                .delete(texts, "key")
                .awaitWrite()
        )
    }

    @Test
    fun `a failure is that of the blocking write`() {
        assertThrows<IllegalArgumentException> { runBlocking { writes.awaitPut("key", "a", Duration.INFINITE) } }
        assertThrows<ArithmeticException> {
            runBlocking { store.counters("visits").async().run { awaitIncrement("key") + awaitIncrement("key", Long.MAX_VALUE) } }
        }
        store.close()
        assertThrows<StoreClosedException> { runBlocking { writes.awaitPut("key", "a") } }
    }

    @Test
    fun `a cancelled coroutine waits no longer, but its write goes on`() {
        val locked = CountDownLatch(1)
        val released = CountDownLatch(1)
        val writer =
            thread {
                store.transactWithoutResult {
                    locked.countDown()
                    released.await()
                }
            }
        locked.await()
        runBlocking {
            launch(start = UNDISPATCHED) { writes.awaitPut("key", "a") }.cancelAndJoin()
            assertNull(texts.getOrNull("key"))
            released.countDown()
            writes.awaitPut("later", "b")
        }
        assertEquals("a", texts.getOrNull("key"))
        writer.join()
    }
}
