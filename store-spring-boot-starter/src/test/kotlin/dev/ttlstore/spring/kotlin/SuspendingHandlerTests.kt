package dev.ttlstore.spring.kotlin

import dev.ttlstore.spring.StarterRunner
import dev.ttlstore.spring.expiry.OnExpiry
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

/** A handler that suspends would return before its work is done. */
class SuspendingHandlerTests {
    class Suspending {
        @OnExpiry(subscriber = "one", group = "invites")
        suspend fun remind(mail: String) = check(mail.isEmpty())
    }

    @Test
    fun `it is refused with the remedy`(@TempDir folder: Path) {
        StarterRunner.at(folder).withBean(Suspending::class.java).run { context ->
            val refusal = generateSequence(context.startupFailure) { it.cause }.mapNotNull { it.message }.joinToString()
            assertTrue("it is a suspend function" in refusal && "use runBlocking" in refusal, refusal)
        }
    }
}
