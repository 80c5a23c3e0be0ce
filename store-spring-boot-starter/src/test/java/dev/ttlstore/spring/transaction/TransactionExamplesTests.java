package dev.ttlstore.spring.transaction;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The examples of the README. */
@Tag("postgresql")
class TransactionExamplesTests {

    private final String schema = TestDatabase.freshName();

    /** The first example of the README. */
    static class Invitations {
        private final JdbcTemplate jdbc;
        private final TextGroup invites;

        Invitations(JdbcTemplate jdbc, Store store) {
            this.jdbc = jdbc;
            this.invites = store.group("invites");
        }

        private static String code() {
            return "code";
        }

        @Retryable(includes = ConcurrencyFailureException.class, maxRetries = 20, delay = 20, jitter = 15)
        @Transactional
        void invite(String email) {
            jdbc.update("INSERT INTO invited (email) VALUES (?)", email);
            invites.put(code(), email, Duration.ofDays(3));
        }
    }

    /** The second example, which is the same for a store in a file. */
    static class LaterInvitations {
        private final JdbcTemplate jdbc;
        private final TextGroup invites;

        LaterInvitations(JdbcTemplate jdbc, Store store) {
            this.jdbc = jdbc;
            this.invites = store.group("invites");
        }

        private static String code() {
            return "later";
        }

        @Transactional
        void invite(String email) {
            jdbc.update("INSERT INTO invited (email) VALUES (?)", email);
            AfterCommit.run(() -> invites.put(code(), email, Duration.ofDays(3)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @Import({Invitations.class, LaterInvitations.class})
    static class Examples {}

    @Test
    void theExamplesOfTheReadmeWork() {
        String invited = TestDatabase.freshName();
        TestDatabase.execute("CREATE SCHEMA " + invited + " AUTHORIZATION " + TestDatabase.USER);
        StarterRunner.onPostgreSql(schema)
                .withUserConfiguration(Examples.class)
                .withPropertyValues("spring.datasource.hikari.schema=" + invited)
                .run(context -> {
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    jdbc.execute("CREATE TABLE invited (email text NOT NULL)");
                    context.getBean(Invitations.class).invite("ann@example.org");
                    context.getBean(LaterInvitations.class).invite("bob@example.org");
                    assertThat(jdbc.queryForList("SELECT email FROM invited", String.class))
                            .containsExactly("ann@example.org", "bob@example.org");
                    assertThat(context.getBean(Store.class).group("invites").keys())
                            .containsExactly("code", "later");
                });
    }
}
