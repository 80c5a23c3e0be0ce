package dev.ttlstore.spring.transaction;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.spring.StarterRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** A store in a file beside a database of the application. */
class AfterCommitTests {

    @Test
    void theFileIsWrittenAfterTheCommitAndNotAfterARollback(@TempDir Path folder) {
        StarterRunner.at(folder)
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:after-commit")
                .run(context -> {
                    TextGroup group = context.getBean(Store.class).group("group");
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    TransactionTemplate transactions =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    jdbc.execute("CREATE TABLE invited (email varchar(100))");
                    transactions.executeWithoutResult(status -> {
                        jdbc.update("INSERT INTO invited VALUES ('ann')");
                        AfterCommit.run(() -> group.put("ann", "value"));
                        assertThat(group.get("ann")).isEmpty();
                    });
                    assertThat(group.get("ann")).contains("value");
                    transactions.executeWithoutResult(status -> {
                        jdbc.update("INSERT INTO invited VALUES ('bob')");
                        AfterCommit.run(() -> group.put("bob", "value"));
                        status.setRollbackOnly();
                    });
                    assertThat(group.get("bob")).isEmpty();
                    assertThat(jdbc.queryForList("SELECT email FROM invited", String.class))
                            .containsExactly("ann");
                });
    }
}
