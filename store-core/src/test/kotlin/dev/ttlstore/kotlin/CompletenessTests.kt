package dev.ttlstore.kotlin

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.Optional
import java.util.OptionalLong
import java.util.concurrent.CompletableFuture
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText

/** Nothing of the API is left out, whatever is added to it, and the sources are as the compiler of a user needs them. */
class CompletenessTests {
    private val sources = Path.of("src/main/kotlin/dev/ttlstore/kotlin").files()

    private val functions: List<Method> =
        sources.flatMap {
            Class.forName("dev.ttlstore.kotlin.${it.nameWithoutExtension}Kt").declaredMethods.filter { m ->
                Modifier.isPublic(m.modifiers)
            }
        }

    private val api: List<Method> =
        listOf("", "event", "expiry")
            .flatMap { folder -> Path.of("src/main/java/dev/ttlstore", folder).files().map { folder to it.nameWithoutExtension } }
            .filter { (_, name) -> name != "package-info" }
            .map { (folder, name) -> Class.forName(listOf("dev.ttlstore", folder, name).filter { it.isNotEmpty() }.joinToString(".")) }
            .filter { Modifier.isPublic(it.modifiers) }
            .flatMap { it.declaredMethods.toList() }
            .filter { Modifier.isPublic(it.modifiers) && !Modifier.isStatic(it.modifiers) && !it.isSynthetic }

    private fun Path.files(): List<Path> = Files.list(this).use { all -> all.filter(Files::isRegularFile).sorted().toList() }

    /** Whether there is a function of one of these names for the type that has the method. Behind a dash is what the compiler adds to it. */
    private fun Method.isExtendedBy(vararg names: String) =
        functions.any { it.name.substringBefore('-') in names && it.parameterTypes.first().isAssignableFrom(declaringClass) }

    private fun List<Method>.thatLack(names: Method.() -> List<String>) =
        filterNot { it.isExtendedBy(*it.names().toTypedArray()) }.map { "${it.declaringClass.simpleName}.${it.name}" }.distinct()

    @Test
    fun `each method with a duration has a form with Kotlin's`() {
        val suspending = { method: Method -> "await" + method.name.replaceFirstChar(Char::uppercase) }
        val withDuration = api.filter { Duration::class.java in it.parameterTypes }
        assertEquals(listOf<String>(), withDuration.thatLack { listOf(name, name + "OrNull", suspending(this)) })
        val mangled =
            functions.filter { '-' in it.name }.map {
                it.name
                    .substringBefore('-')
                    .removePrefix("await")
                    .lowercase()
            }
        assertEquals(listOf<String>(), withDuration.map { it.name.lowercase() }.filter { it !in mangled && it + "ornull" !in mangled })
    }

    @Test
    fun `each method with an optional answer has a form with null`() {
        val optional = api.filter { it.returnType == Optional::class.java || it.returnType == OptionalLong::class.java }
        assertEquals(listOf<String>(), optional.thatLack { listOf(name + "OrNull") })
    }

    @Test
    fun `each asynchronous write has a form that suspends`() {
        val asynchronous = api.filter { it.returnType == CompletableFuture::class.java }
        assertEquals(
            listOf<String>(),
            asynchronous.thatLack { listOf("await" + name.removeSuffix("Async").replaceFirstChar(Char::uppercase)) }
        )
    }

    @Test
    fun `each public function says what it does, and since when`() {
        val declaration = Regex("(?m)^(.*)\n(?:@.*\n)*public .*?fun .*?(\\w+)\\(")
        sources.forEach { file ->
            val functions = declaration.findAll(file.readText()).toList()
            assertEquals(listOf<String>(), functions.filter { it.groupValues[1] != " */" }.map { it.groupValues[2] }, file.name)
            assertEquals(functions.size, Regex("(?m)^ \\* @since 0\\.1$").findAll(file.readText()).count(), file.name)
        }
    }

    /** A compiler reads what the next release after it writes. */
    @Test
    fun `compilers since 1_9 read the functions`() {
        functions.map { it.declaringClass }.distinct().forEach { facade ->
            val written = facade.getAnnotation(Metadata::class.java).metadataVersion.toList()
            assertEquals(listOf(2, 0, 0), written, facade.name)
        }
    }

    @Test
    fun `the compiler has the version of the library`() {
        val version = Regex("<kotlin.version>(.*)</kotlin.version>").find(Path.of("../pom.xml").readText())!!.groupValues[1]
        assertEquals(KotlinVersion.CURRENT.toString(), version)
    }

    @Test
    fun `who does without Kotlin does not get it`() {
        val kotlin = Regex("(?s)<dependency>(?:(?!</dependency>).)*<groupId>org\\.jetbrains\\..*?</dependency>")
        val dependencies = kotlin.findAll(Path.of("pom.xml").readText()).map { it.value }.toList()
        assertEquals(2, dependencies.size)
        assertEquals(listOf<String>(), dependencies.filterNot { "<optional>true</optional>" in it })
    }
}
