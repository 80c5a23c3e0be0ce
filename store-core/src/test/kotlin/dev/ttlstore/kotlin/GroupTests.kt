package dev.ttlstore.kotlin

import dev.ttlstore.Codec
import dev.ttlstore.CodecFactory
import dev.ttlstore.Expiry
import dev.ttlstore.GroupSettings
import dev.ttlstore.Keyspace
import dev.ttlstore.Store
import dev.ttlstore.TypeRef
import dev.ttlstore.contract.MovableClock
import dev.ttlstore.event.EntryPut
import dev.ttlstore.event.WatchOptions
import dev.ttlstore.event.WatchSignal
import dev.ttlstore.exception.MissingCodecException
import dev.ttlstore.expiry.ExpirySettings
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/** Groups, nulls and durations in Kotlin. */
class GroupTests {
    private val clock = MovableClock()
    private val store =
        Store
            .builder()
            .inMemory()
            .clock(clock)
            .codecs(Lists)
            .purgeInterval(1.days)
            .retention(1.days)
            .lockTimeout(1.seconds)
            .closeTimeout(30.seconds)
            .expiry(ExpirySettings.defaults().withDelays(1.seconds, 1.minutes).withTimeout(1.minutes))
            .group(
                "sessions",
                GroupSettings
                    .defaults()
                    .withTtl(30.minutes)
                    .withMaxAge(1.days)
                    .withRetention(1.days)
            ).open()
    private val texts = store.group("texts")

    /** Of generic types, only lists of texts. */
    private object Lists : CodecFactory {
        private val type = object : TypeRef<List<String>>() {}
        private val lists =
            object : Codec<List<String>> {
                override fun encode(value: List<String>): ByteArray = value.joinToString(",").encodeToByteArray()

                override fun decode(bytes: ByteArray): List<String> = bytes.decodeToString().split(",")
            }

        override fun <V : Any> codec(type: Class<V>): Codec<V>? = null

        @Suppress("UNCHECKED_CAST") // the type says so
        override fun <V : Any> codec(type: TypeRef<V>): Codec<V>? = if (type == this.type) lists as Codec<V> else null
    }

    @AfterEach
    fun close() = store.close()

    @Test
    fun `a group has the type that is named`() {
        store.group<String>("texts").put("key", "text")
        store.group<Long>("numbers").put("key", 7)
        store.group<ByteArray>("bytes").put("key", byteArrayOf(7))
        store.group<List<String>>("lists").put("key", listOf("a", "b"))
        assertEquals("text", texts.getOrNull("key"))
        assertEquals(8, store.counters("numbers").increment("key"))
        assertArrayEquals(byteArrayOf(7), store.group<ByteArray>("bytes").getOrNull("key"))
        assertEquals(listOf("a", "b"), store.group<List<String>>("lists").getOrNull("key"))
        assertThrows<MissingCodecException> { store.group<List<Int>>("others") }
    }

    @Test
    fun `a group of a scope and of a transaction has a type too`() {
        store.scope("acme").group<Long>("numbers").put("key", 7)
        val read = store.transact { tx -> tx.scope("acme").group<Long>("numbers").getOrNull("key") }
        assertEquals(7, read)
    }

    @Test
    fun `handlers have the type that is named`() {
        val handled = ArrayBlockingQueue<Long>(2)
        store.onExpired<Long>("one", "numbers") { handled.add(it.value()) }
        store.onExpiredPrefix<Long>("two", "num") { handled.add(it.value() + 1) }
        store.group<Long>("numbers").put("key", 7, 1.milliseconds)
        clock.advance(1.milliseconds.toJavaDuration())
        store.purgeExpired()
        val both = List(2) { handled.poll(60, TimeUnit.SECONDS) }
        assertEquals(listOf(7L, 8L), both.filterNotNull().sorted())
    }

    @Test
    fun `what is absent is null`() {
        val absent =
            listOf(
                texts.getOrNull("key"),
                texts.entryOrNull("key"),
                texts.takeOrNull("key"),
                texts.takeEntryOrNull("key"),
                texts.getAndExpireOrNull("key", 1.days),
                texts.getAndExpireOrNull("key", Expiry.now()),
                texts.updateOrNull("key") { "$it!" },
                texts.updateOrDeleteOrNull("key") { null },
                texts.putIfPresentOrNull("key", "value"),
                texts.putIfPresentOrNull("key", "value", 1.days),
                texts.replaceOrNull("key", "expected", "value"),
                texts.replaceOrNull("key", "expected", "value", 1.days),
                texts.replaceVersionOrNull("key", 1, "value"),
                texts.replaceVersionOrNull("key", 1, "value", 1.days),
                texts.splitOrNull("key", ","),
                texts.fieldsOrNull("key"),
                texts.getAndPutOrNull("new", "value"),
                texts.getAndPutOrNull("newer", "value", 1.days),
                texts.getAndPutIfAbsentOrNull("key", "value"),
                texts.getAndPutIfAbsentOrNull("another", "value", 1.days),
                texts.putIfAbsentOrNull("key", "value"),
                texts.putIfAbsentOrNull("key", "value", 1.days)
            )
        assertEquals(listOf<Any?>(), absent.filterNotNull())
    }

    @Test
    fun `what is there is not null`() {
        val version = texts.putIfAbsentOrNull("key", "a b") ?: error("not put")
        assertEquals(version, texts.entryOrNull("key")?.version())
        assertEquals(listOf("a", "b"), texts.splitOrNull("key", " "))
        assertEquals(listOf("a", "b"), texts.fieldsOrNull("key"))
        assertTrue(texts.replaceVersionOrNull("key", version, "b")!! > version)
        assertTrue(texts.replaceOrNull("key", "b", "c") != null)
        assertTrue(texts.putIfPresentOrNull("key", "d") != null)
        assertEquals("d!", texts.updateOrNull("key") { "$it!" })
        assertEquals("d!", texts.getAndPutOrNull("key", "e"))
        assertEquals("e", texts.getAndPutIfAbsentOrNull("key", "f"))
        assertEquals("ee", texts.updateOrDeleteOrNull("key") { it + it })
        assertEquals("ee", texts.takeOrNull("key"))
        store.group("texts").put("last", "value")
        assertEquals("last", store.stored().entryOrNull("texts", "last")?.key())
        assertNull(texts.updateOrDeleteOrNull("last") { null })
        assertTrue(!("last" in texts))
    }

    @Test
    fun `the value of an event may be absent`() {
        texts.watch(WatchOptions.defaults().withValues()).use { watch ->
            texts.put("key", "value")
            val put = (watch.pollOrNull(1.minutes) as WatchSignal.Change).event() as EntryPut
            assertEquals("value", texts.valueOfOrNull(put))
            assertNull(watch.pollOrNull())
            assertNull(watch.pollOrNull(Duration.ZERO))
        }
    }

    @Test
    fun `each write takes a duration`() {
        texts.put("put", "value", 5.minutes)
        val added = texts.add("value", 5.minutes)
        texts.getOrPut("loaded", 5.minutes) { "value" }
        texts.putAll(mapOf("all" to "value"), 5.minutes)
        texts.putIfAbsentOrNull("absent", "value", 5.minutes)
        texts.put("expire", "value")
        texts.expire("expire", 5.minutes)
        texts.put("read", "value")
        texts.getAndExpireOrNull("read", 5.minutes)
        assertEquals(List(7) { 5.minutes.toJavaDuration() }, texts.entries().toList().map { it.ttl() })
        assertEquals("value", texts.getOrNull(added))
        assertEquals(1, store.counters("visits").increment("key", 1, 5.minutes))
        clock.advance(5.minutes.toJavaDuration())
        assertEquals(0, store.count())
    }

    @Test
    fun `many entries take a duration`() {
        texts.put("key", "value")
        assertEquals(1, texts.expireAll(2.days))
        clock.advance(1.days.toJavaDuration())
        assertEquals(0, texts.sweep(2.days))
        assertEquals(1, (store as Keyspace).sweep(1.days))
    }

    @Test
    fun `a group has its default ttl`() {
        store.group("sessions").put("key", "value")
        clock.advance(30.minutes.toJavaDuration())
        assertNull(store.group("sessions").getOrNull("key"))
    }

    /** A sum may be infinite by mistake. */
    @Test
    fun `an infinite ttl is refused with the remedy`() {
        val refusal = assertThrows<IllegalArgumentException> { texts.put("key", "value", Duration.INFINITE) }
        assertTrue(refusal.message!!.contains("put it without a ttl"))
        assertThrows<IllegalArgumentException> { texts.put("key", "value", Duration.ZERO) }
        assertEquals(0, store.count())
    }
}
