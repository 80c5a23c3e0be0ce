package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.ttlstore.Store;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** An application with a store in its database, in a schema of its own. */
abstract class PostgreSqlApplication {

    final String schema = TestDatabase.freshName();

    final ApplicationContextRunner runner() {
        return StarterRunner.onPostgreSql(schema);
    }

    static Store store(ApplicationContext context) {
        return context.getBean(Store.class);
    }

    static void assertWorks(Store store) {
        store.group("config").put("theme", "dark");
        assertThat(store.group("config").get("theme")).contains("dark");
        assertThat(store.stats().engine()).startsWith("PostgreSQL");
    }
}
