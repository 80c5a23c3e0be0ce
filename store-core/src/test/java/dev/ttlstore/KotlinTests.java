package dev.ttlstore;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

/** The API as Kotlin infers it. Members win over extensions there, so what cannot be inferred cannot be mended later. */
@Tag("slow")
class KotlinTests {

    @Test
    void eachFormOfATransactionIsInferred(@TempDir Path classes) throws Exception {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        ExitCode compiled = new K2JVMCompiler()
                .exec(
                        new PrintStream(messages, true, UTF_8),
                        "-Werror",
                        "-no-stdlib",
                        "-no-reflect",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        "src/test/kotlin/dev/ttlstore/Transactions.kt");
        assertThat(compiled).as(() -> messages.toString(UTF_8)).isEqualTo(ExitCode.OK);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            loader.loadClass("dev.ttlstore.TransactionsKt").getMethod("main").invoke(null);
        }
    }
}
