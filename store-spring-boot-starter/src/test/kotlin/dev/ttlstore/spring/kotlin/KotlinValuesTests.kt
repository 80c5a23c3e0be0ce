package dev.ttlstore.spring.kotlin

import dev.ttlstore.Codec
import dev.ttlstore.Group
import dev.ttlstore.Store
import dev.ttlstore.exception.CodecException
import dev.ttlstore.kotlin.getOrNull
import dev.ttlstore.kotlin.group
import dev.ttlstore.serialization.AllowedClasses
import dev.ttlstore.serialization.JavaCodec
import dev.ttlstore.spring.json.JacksonCodecFactory
import dev.ttlstore.spring.session.JsonAttributes
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import tools.jackson.databind.json.JsonMapper
import java.io.Serializable
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/** What Jackson's module for Kotlin keeps of a value. */
class KotlinValuesTests {
    private val store =
        Store
            .builder()
            .inMemory()
            .codecs(JacksonCodecFactory(JacksonCodecFactory.defaults().build()))
            .open()

    private val allowed = AllowedClasses.of(listOf("dev.ttlstore.spring.kotlin.*"))

    @AfterEach
    fun close() = store.close()

    @JvmInline
    value class Mail(val text: String)

    enum class Role { GUEST, OWNER }

    data class Member(
        val mail: Mail,
        val role: Role = Role.GUEST,
        val since: Instant? = null,
        val tags: Map<String, List<Long>> = emptyMap(),
        val visits: ULong = 0u
    ) {
        var note: String? = null
    }

    data class Later(val mail: Mail, val name: String)

    data class Timed(val left: Duration)

    sealed interface Shape

    data class Circle(val radius: Int) : Shape

    data class Cart(val items: List<String> = emptyList())

    data class KeptCart(val items: List<String> = emptyList()) : Serializable

    @JvmRecord
    data class RecordedCart(val items: List<String> = emptyList())

    private inline fun <reified V : Any> assertKept(value: V) {
        val group: Group<V> = store.group<V>(V::class.simpleName!!)
        group.put("key", value)
        assertEquals(value, group.getOrNull("key"))
    }

    @Test
    fun `a data class is read as it was written`() {
        val member = Member(Mail("ann@example.org"), Role.OWNER, Instant.EPOCH, mapOf("a" to listOf(1L)), ULong.MAX_VALUE)
        assertKept(member)
        assertKept(listOf(Member(Mail("bob@example.org"))))
        assertKept(Mail("ann@example.org") to 7)
        store.group<Member>("Member").put("noted", member.apply { note = "friend" })
        assertEquals("friend", store.group<Member>("Member").getOrNull("noted")?.note)
    }

    @Test
    fun `a property that old values lack has its default, or the read throws`() {
        store.group("members").put("key", """{"mail":"ann@example.org"}""")
        assertEquals(Member(Mail("ann@example.org")), store.group<Member>("members").getOrNull("key"))
        val refusal = assertThrows<CodecException> { store.group<Later>("members").getOrNull("key") }
        assertTrue(refusal.message!!.contains("at 'name'"))
    }

    @Test
    fun `without the module, a data class is refused with the remedy`() {
        val codec = JacksonCodecFactory(JsonMapper.builder().build()).codec(Member::class.java)!!
        val refusal = assertThrows<CodecException> { codec.encode(Member(Mail("ann@example.org"))) }
        assertTrue(refusal.message!!.contains("'tools.jackson.module:jackson-module-kotlin'"))
    }

    private fun assertKept(codec: Codec<Any>, vararg attributes: Any) =
        attributes.forEach { assertEquals(it, codec.decode(codec.encode(it))) }

    /** Such a class is no record, and is not serializable by itself. */
    @Test
    fun `a session keeps a data class in one of three ways`() {
        val java = JavaCodec(allowed, "property", null)
        val refusal = assertThrows<CodecException> { java.encode(Cart()) }
        assertTrue("Serializable" in refusal.message!!)
        assertKept(java, KeptCart(listOf("book")), RecordedCart(listOf("book")))
        val json = JsonAttributes(allowed, "property", null)
        assertKept(json, Cart(listOf("book")), RecordedCart(listOf("book")))
    }

    /** Kotlin has classes of its own for them. */
    @Test
    fun `sessions and caches keep pairs and what is empty`() {
        val values = arrayOf<Any>(KeptCart(), RecordedCart(), "ann" to 7, Triple(1, 2L, "c"), emptyMap<Any, Any>(), emptySet<Any>())
        assertKept(JavaCodec(allowed, "property", null), *values)
        assertKept(JsonAttributes(allowed, "property", null), *values)
    }

    /** What the type does not tell: which class of several, or that a number is a duration. */
    @Test
    fun `what JSON would not give back is refused`() {
        assertThrows<CodecException> { store.group<Timed>("timed").put("key", Timed(5.minutes)) }
        assertThrows<CodecException> { store.group<Shape>("shapes").put("key", Circle(1)) }
        assertEquals(0, store.count())
    }
}
