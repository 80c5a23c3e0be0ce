package dev.ttlstore

import java.io.IOException

/** Each form of a transaction, without type arguments where none should be needed. Compiled and run by KotlinTests. */
fun main() {
    Store.inMemory().use { store ->
        store.group("invites").put("key", "ann")
        val taken = store.transact { tx -> tx.group("invites").take("key").orElseThrow() }
        val left: Long = store.transact { it.group("invites").count() }
        val nobody: String? = store.transact { tx -> tx.group("members").get("bob").orElse(null) }
        store.transactWithoutResult { tx ->
            tx.group("members").put("ann", taken)
            if (left > 0) return@transactWithoutResult
            tx.group("members").put("none", "left")
        }
        val read = store.transactChecked<String, IOException> { tx -> tx.group("members").get("ann").orElseThrow { IOException() } }
        store.transactCheckedWithoutResult<IOException> { tx -> tx.scope("acme").group("members").put("ann", read) }
        val inScope = store.scope("acme").transact { tx -> tx.group("members").get("ann").orElse(null) }
        check(listOf(taken, nobody, read, inScope) == listOf("ann", null, "ann", "ann"))
        check(store.group("members").keys().toList() == listOf("ann", "none"))
    }
}
