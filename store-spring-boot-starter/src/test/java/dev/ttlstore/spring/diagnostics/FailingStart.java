package dev.ttlstore.spring.diagnostics;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** An application that does not start, as its user starts it. */
final class FailingStart {

    private final List<Class<?>> configurations = new ArrayList<>(List.of(Application.class));
    private final List<String> arguments = new ArrayList<>();
    private final SpringApplicationBuilder builder = new SpringApplicationBuilder().web(WebApplicationType.NONE);

    private FailingStart(String... arguments) {
        this.arguments.addAll(List.of(arguments));
    }

    static FailingStart at(Path path) {
        return new FailingStart("--store.path=" + path, "--store.lock-timeout=0s");
    }

    static FailingStart onPostgreSql(String schema) {
        return new FailingStart("--store.engine=postgresql", "--store.postgresql.schema=" + schema);
    }

    FailingStart with(Class<?> configuration) {
        configurations.add(configuration);
        return this;
    }

    FailingStart with(String argument) {
        arguments.add(argument);
        return this;
    }

    FailingStart without(Class<?> library) {
        builder.resourceLoader(new DefaultResourceLoader(new FilteredClassLoader(library)));
        return this;
    }

    void run() {
        builder.sources(configurations.toArray(Class<?>[]::new));
        assertThat(catchThrowable(
                        () -> builder.run(arguments.toArray(String[]::new)).close()))
                .isNotNull();
    }

    /** Starts it in a process of its own. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(arguments)
                .close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    static class Application {}
}
