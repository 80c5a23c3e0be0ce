package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What a user reads when the application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class StoreFailureAnalysisTests {

    @TempDir
    private Path folder;

    @Test
    void aFileInUseIsToldWithItsHolderAndTheRemedy(CapturedOutput output) {
        Path file = folder.resolve("store.db");
        try (Store holder = Store.open(file)) {
            assertThat(catchThrowable(() -> start(file))).isNotNull();
            assertThat(holder.count()).isZero();
        }
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The store " + file + " is in use by")
                .contains("process " + ProcessHandle.current().pid())
                .contains("'store.path'")
                .doesNotContain("\tat dev.ttlstore");
    }

    @Test
    void aFileThatIsNoStoreIsToldWithTheRemedy(CapturedOutput output) throws Exception {
        Path file = folder.resolve("store.db");
        Files.writeString(file, "not a database, but long enough to have a first page".repeat(100));
        assertThat(catchThrowable(() -> start(file))).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The file " + file + " is no store")
                .contains("Give the store a path of its own");
    }

    private static void start(Path file) {
        SpringApplication application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .application();
        application.run("--store.path=" + file).close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    static class Application {}
}
