package dev.ttlstore.kotlin

import dev.ttlstore.Store
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import java.io.IOException

/** The API as Kotlin infers it. Members win over extensions there, so what cannot be inferred cannot be mended later. */
class TransactionTests {
    @Test
    fun `each form of a transaction is inferred`() {
        Store.inMemory().use { store ->
            store.group("invites").put("key", "ann")
            val taken = store.transact { tx -> tx.group("invites").take("key").orElseThrow() }
            val left: Long = store.transact { it.group("invites").count() }
            val nobody: String? = store.transact { tx -> tx.group("members").getOrNull("bob") }
            store.transactWithoutResult { tx ->
                tx.group("members").put("ann", taken)
                if (left > 0) return@transactWithoutResult
                tx.group("members").put("none", "left")
            }
            val read = store.transactChecked<String, IOException> { tx -> tx.group("members").getOrNull("ann") ?: throw IOException() }
            store.transactCheckedWithoutResult<IOException> { tx -> tx.scope("acme").group("members").put("ann", read) }
            val inScope = store.scope("acme").transact { tx -> tx.group("members").getOrNull("ann") }
            assertEquals(listOf("ann", null, "ann", "ann"), listOf(taken, nobody, read, inScope))
            assertEquals(listOf("ann", "none"), store.group("members").keys().toList())
        }
    }
}
