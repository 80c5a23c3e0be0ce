package dev.ttlstore.spring;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** An application with a store in its database, in a schema of its own. */
public abstract class PostgreSqlApplication {

    public final String schema = TestDatabase.freshName();

    public final ApplicationContextRunner runner() {
        return StarterRunner.onPostgreSql(schema);
    }

    public static Store store(ApplicationContext context) {
        return context.getBean(Store.class);
    }

    public static void assertWorks(Store store) {
        store.group("config").put("theme", "dark");
        assertThat(store.group("config").get("theme")).contains("dark");
        assertThat(store.stats().engine()).startsWith("PostgreSQL");
    }
}
