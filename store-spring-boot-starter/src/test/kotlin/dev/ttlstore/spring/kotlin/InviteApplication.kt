package dev.ttlstore.spring.kotlin

import dev.ttlstore.Store
import dev.ttlstore.expiry.ExpiredEntry
import dev.ttlstore.kotlin.awaitAdd
import dev.ttlstore.kotlin.awaitTake
import dev.ttlstore.kotlin.entriesAsFlow
import dev.ttlstore.kotlin.group
import dev.ttlstore.spring.expiry.OnExpiry
import jakarta.servlet.http.HttpSession
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.http.HttpStatus
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException
import java.util.concurrent.BlockingQueue
import java.util.concurrent.LinkedBlockingQueue
import kotlin.time.Duration.Companion.days

@SpringBootApplication(proxyBeanMethods = false)
class InviteApplication

data class Invite(val mail: String, val note: String = "")

@RestController
class Invites(store: Store) {
    private val invites = store.group<Invite>("invites")

    @PostMapping("/invites")
    suspend fun invite(@RequestBody invite: Invite): String = invites.async().awaitAdd(invite, 10.days)

    @PostMapping("/invites/{key}/accept")
    suspend fun accept(@PathVariable key: String, session: HttpSession): Invite {
        val invite = invites.async().awaitTake(key) ?: throw ResponseStatusException(HttpStatus.GONE)
        session.setAttribute("mail", invite.mail)
        return invite
    }

    @GetMapping("/invites")
    fun all(): Flow<Invite> = invites.entriesAsFlow().map { it.value() }

    @GetMapping("/me")
    suspend fun me(session: HttpSession): String = session.getAttribute("mail") as String? ?: "nobody"
}

@Component
class Reminders {
    /** What was reminded of, for the test. */
    val reminded: BlockingQueue<Invite> = LinkedBlockingQueue()

    @OnExpiry(subscriber = "invitation-reminder", group = "invites")
    fun remind(invite: ExpiredEntry<Invite>) {
        reminded.add(invite.value())
    }
}
