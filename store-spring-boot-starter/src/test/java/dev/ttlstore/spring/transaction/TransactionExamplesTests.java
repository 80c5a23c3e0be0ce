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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The examples of the page about transactions. */
@Tag("postgresql")
class TransactionExamplesTests {

    private final String schema = TestDatabase.freshName();

    /** The first example of the page. */
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

    /** The example of what is written outside. */
    static class Logins {
        private final Store store;

        Logins(Store store) {
            this.store = store;
        }

        private static void check(String user, String password) {
            throw new IllegalArgumentException("The password of " + user + " is not " + password);
        }

        @Transactional
        void login(String user, String password) {
            if (store.outsideTransaction().counters("failures").increment(user, 1, Duration.ofMinutes(5)) > 10) {
                throw new IllegalStateException("Too many attempts");
            }
            check(user, password); // if it throws, the attempt still counts
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @Import({Invitations.class, LaterInvitations.class, Logins.class})
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
                    Logins logins = context.getBean(Logins.class);
                    for (int i = 0; i < 10; i++) {
                        assertThatIllegalArgumentException().isThrownBy(() -> logins.login("ann", "guess"));
                    }
                    assertThatIllegalStateException().isThrownBy(() -> logins.login("ann", "guess"));
                });
    }
}
