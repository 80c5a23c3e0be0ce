package dev.ttlstore.spring.kotlin

import dev.ttlstore.Store
import dev.ttlstore.kotlin.getOrNull
import dev.ttlstore.kotlin.group
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.springframework.beans.factory.getBean
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext
import java.net.CookieManager
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/** An application in Kotlin: sessions, suspending controllers, JSON of data classes, and expiries. */
class KotlinApplicationTests {
    @TempDir
    private lateinit var folder: Path

    private val browser: HttpClient = HttpClient.newBuilder().cookieHandler(CookieManager()).build()

    private fun <T> application(use: (ServletWebServerApplicationContext) -> T): T {
        val context =
            SpringApplicationBuilder(InviteApplication::class.java)
                .run(
                    "--server.port=0",
                    "--spring.main.banner-mode=off",
                    "--store.path=${folder.resolve("app.db")}",
                    "--store.session.enabled=true"
                ) as ServletWebServerApplicationContext
        return context.use(use)
    }

    private fun ServletWebServerApplicationContext.send(method: String, path: String, body: String = ""): Pair<Int, String> {
        val request =
            HttpRequest
                .newBuilder(URI("http://localhost:${webServer!!.port}$path"))
                .method(method, BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .build()
        return browser.send(request, BodyHandlers.ofString()).let { it.statusCode() to it.body() }
    }

    @Test
    fun `it suspends, and keeps its sessions and entries over a restart`() {
        val key =
            application { one ->
                val key = one.send("POST", "/invites", """{"mail": "ann@example.org"}""").second
                assertEquals(200 to """[{"mail":"ann@example.org","note":""}]""", one.send("GET", "/invites"))
                assertEquals(Invite("ann@example.org"), one.getBean<Store>().group<Invite>("invites").getOrNull(key))
                assertEquals(200, one.send("POST", "/invites", """{"mail": "bob@example.org"}""").first)
                assertEquals(200 to "nobody", one.send("GET", "/me"))
                assertEquals(200, one.send("POST", "/invites/$key/accept").first)
                assertEquals(410, one.send("POST", "/invites/$key/accept").first)
                key
            }
        application { other ->
            assertEquals(200 to "ann@example.org", other.send("GET", "/me"))
            assertEquals(410, other.send("POST", "/invites/$key/accept").first)
            assertEquals(1, other.getBean<Store>().group<Invite>("invites").expireAllNow())
            assertEquals(Invite("bob@example.org"), other.getBean<Reminders>().reminded.poll(60, TimeUnit.SECONDS))
        }
    }
}
