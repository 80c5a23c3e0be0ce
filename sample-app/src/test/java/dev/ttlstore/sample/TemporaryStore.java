package dev.ttlstore.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Has an application that several test classes share keep its file in a folder that none of them removes. With the profile
 * {@code postgresql} it shares the store of {@link ThreeNodes}.
 */
public final class TemporaryStore implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (List.of(context.getEnvironment().getActiveProfiles()).contains(OnThreeNodes.PROFILE)) {
            ThreeNodes.startFor(context);
        } else {
            TestPropertyValues.of("store.path=" + folder().resolve("store.db")).applyTo(context);
        }
    }

    /** A new folder among the build's output. */
    public static Path folder() {
        try {
            Path parent = Files.createDirectories(Path.of("target", "browser"));
            return Files.createTempDirectory(parent.toAbsolutePath(), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
