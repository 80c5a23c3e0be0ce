package dev.ttlstore.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

import dev.ttlstore.sample.nodes.Database;
import dev.ttlstore.sample.nodes.ReverseProxy;
import dev.ttlstore.spring.encryption.StoreKeyset;

/**
 * Three nodes with the properties of the test, over one database and behind a proxy. The application of the test itself
 * shares their store, but gets no requests.
 */
final class ThreeNodes extends Nodes {

    static final int COUNT = 3;

    private final ReverseProxy proxy;

    private ThreeNodes(List<ConfigurableApplicationContext> nodes, ReverseProxy proxy) {
        super(nodes);
        this.proxy = proxy;
    }

    @Override
    public int port() {
        return proxy.port();
    }

    /** Starts them before the application of a test. They end with it. */
    static void startFor(ConfigurableApplicationContext test) {
        Path folder = TemporaryStore.folder();
        Path keyset = folder.resolve("keyset.json");
        StoreKeyset.create(keyset);
        Database database = database(folder.resolve("database"));
        List<String> store = List.of(
                "store.engine=postgresql", // in the test, or the starter would keep the store in memory
                "store.encryption.keyset=" + keyset,
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + Database.USER);
        TestPropertyValues.of(store).applyTo(test);
        List<ConfigurableApplicationContext> nodes = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            nodes.add(new SpringApplicationBuilder(SampleApplication.class)
                    .profiles("postgresql")
                    .run(arguments(store, test)));
        }
        ReverseProxy proxy =
                ReverseProxy.start(0, nodes.stream().map(Nodes::port).toList());
        test.getBeanFactory().registerSingleton("nodes", new ThreeNodes(nodes, proxy));
        test.addApplicationListener(event -> {
            if (event instanceof ContextClosedEvent) {
                proxy.close();
                nodes.forEach(ConfigurableApplicationContext::close);
            }
        });
    }

    /** The server ends with this process, after all applications in it. */
    private static Database database(Path folder) {
        try {
            Database database = Database.start(folder, 0);
            SpringApplication.getShutdownHandlers().add(database::close);
            return database;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of the store, and those that the annotations of the test name. */
    private static String[] arguments(List<String> store, ConfigurableApplicationContext test) {
        PropertySource<?> inlined = test.getEnvironment().getPropertySources().get("Inlined Test Properties");
        if (!(inlined instanceof EnumerablePropertySource<?> named)) {
            throw new IllegalStateException("The test has no properties");
        }
        return Stream.concat(
                        Stream.of(named.getPropertyNames()).map(name -> name + "=" + named.getProperty(name)),
                        store.stream())
                .map(property -> "--" + property)
                .toArray(String[]::new);
    }
}
