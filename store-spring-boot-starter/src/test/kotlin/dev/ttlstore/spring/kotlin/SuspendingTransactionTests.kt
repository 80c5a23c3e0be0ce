package dev.ttlstore.spring.kotlin

import dev.ttlstore.Group
import dev.ttlstore.Store
import dev.ttlstore.kotlin.awaitPut
import dev.ttlstore.kotlin.getOrNull
import dev.ttlstore.kotlin.group
import dev.ttlstore.spring.StarterRunner
import dev.ttlstore.spring.TestDatabase
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.assertThrows
import org.springframework.beans.factory.getBean
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.transaction.annotation.EnableTransactionManagement
import org.springframework.transaction.annotation.Transactional

/** What the page about Kotlin says of transactions. */
@Tag("postgresql")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendingTransactionTests {
    private class Refusal : RuntimeException()

    open class Members(store: Store, private val jdbc: JdbcTemplate) {
        private val members = store.group<String>("members")

        @Transactional
        open fun add(name: String) {
            jdbc.update("INSERT INTO member (name) VALUES (?)", name)
            members.put(name, "new")
        }
    }

    open class Registration(private val members: Members) {
        suspend fun register(name: String) {
            withContext(Dispatchers.IO) { members.add(name) }
        }
    }

    open class Attempts(store: Store) {
        private val members = store.group<String>("members")

        @Transactional
        open suspend fun suspendAndFail(name: String) {
            members.put(name, "new")
            throw Refusal()
        }

        @Transactional
        open fun suspendInside(name: String) = runBlocking { members.async().awaitPut(name, "new") }

        @Transactional
        open fun leaveTheThreadAndFail(name: String) {
            runBlocking { withContext(Dispatchers.IO) { members.put(name, "new") } }
            throw Refusal()
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @Import(Members::class, Registration::class, Attempts::class)
    open class Beans

    private lateinit var context: ConfigurableApplicationContext
    private val attempts by lazy { context.getBean<Attempts>() }
    private val members: Group<String> by lazy { context.getBean<Store>().group<String>("members") }

    @BeforeAll
    fun start() {
        val own = TestDatabase.freshName()
        TestDatabase.execute("CREATE SCHEMA $own AUTHORIZATION ${TestDatabase.USER}")
        val beans = listOf<Class<*>>(Beans::class.java)
        context = StarterRunner.startOnPostgreSql(TestDatabase.freshName(), beans, "spring.datasource.hikari.schema=$own")
        context.getBean<JdbcTemplate>().execute("CREATE TABLE member (name text CHECK (name <> 'refused'))")
    }

    @AfterAll
    fun stop() = context.close()

    @Test
    fun `a suspend function calls one with a transaction`() = runBlocking {
        context.getBean<Registration>().register("ann")
        assertEquals("new", members.getOrNull("ann"))
        assertThrows<RuntimeException> { runBlocking { context.getBean<Registration>().register("refused") } }
        assertNull(members.getOrNull("refused"))
    }

    @Test
    fun `a suspend function has no transaction itself`() {
        assertThrows<Refusal> { runBlocking { attempts.suspendAndFail("bob") } }
        assertEquals("new", members.getOrNull("bob"))
    }

    @Test
    fun `a write that suspends is refused in a transaction`() {
        val refusal = assertThrows<IllegalStateException> { attempts.suspendInside("cid") }
        assertTrue(refusal.message!!.contains("write synchronously"))
        assertNull(members.getOrNull("cid"))
    }

    @Test
    fun `another dispatcher leaves the transaction`() {
        assertThrows<Refusal> { attempts.leaveTheThreadAndFail("dan") }
        assertEquals("new", members.getOrNull("dan"))
    }
}
