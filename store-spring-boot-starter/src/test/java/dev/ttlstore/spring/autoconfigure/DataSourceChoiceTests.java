package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.PostgreSqlApplication;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The DataSource that the store is on: Boot's, a marked or a primary one, and what opens and closes with it. */
@Tag("postgresql")
@ExtendWith(OutputCaptureExtension.class)
class DataSourceChoiceTests extends PostgreSqlApplication {

    @Test
    void theLogSaysWhereTheStoreIsWithoutTheAddressOfTheServer(CapturedOutput output) {
        runner().run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The store is in PostgreSQL, in the schema '" + schema + "' of the DataSource 'dataSource'")
                .contains("'store.postgresql.schema'")
                .doesNotContain("jdbc:postgresql");
    }

    @Tag("variant")
    @Test
    void theDatabaseOfConnectionDetailsIsUsedAsServiceConnectionsProvideThem() {
        runner().withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost:1/nowhere")
                .withBean(JdbcConnectionDetails.class, TestDatabase::connectionDetails)
                .run(context -> assertWorks(store(context)));
    }

    @Tag("variant")
    @Test
    void aMarkedDataSourceIsUsedBesideBootsOwn() {
        runner().withPropertyValues("spring.datasource.url=jdbc:h2:mem:other", "spring.datasource.username=sa")
                .withUserConfiguration(Marked.class)
                .run(context -> {
                    assertWorks(store(context));
                    assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT H2VERSION()", String.class))
                            .isNotBlank();
                });
    }

    @Tag("variant")
    @Test
    void aMarkedDataSourceIsUsedBesideAPrimaryOne() {
        runner().withUserConfiguration(Marked.class, PrimaryOfAnotherKind.class)
                .run(context -> assertWorks(store(context)));
    }

    @Test
    void thePrimaryOneOfSeveralIsUsed(CapturedOutput output) {
        runner().withUserConfiguration(PrimaryAndOther.class).run(context -> assertWorks(store(context)));
        assertThat(output).contains("of the DataSource 'first'");
    }

    @Test
    void severalWithoutAPrimaryOneAreRefusedByTheirNames() {
        runner().withUserConfiguration(Several.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[first, second]")
                .hasMessageContaining("@StoreDataSource"));
    }

    @Test
    void aStoreOfTheApplicationsOwnWinsAndNeedsNoDatabase() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
                .withPropertyValues("store.engine=postgresql")
                .withBean("mine", Store.class, Store::inMemory)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Store.class)
                        .hasBean("mine"));
    }

    @Test
    void theStoreClosesBeforeItsDataSource() {
        List<String> told = new CopyOnWriteArrayList<>();
        runner().withBean(DataSource.class, () -> new Closing(told)).run(context -> {
            Store store = store(context);
            assertWorks(store);
            context.getBean(Closing.class).store = store;
        });
        assertThat(told).containsExactly("the store was closed");
    }

    @Tag("variant")
    @Test
    void theStoreClosesWithADataSourceThatIsDestroyedByItself() {
        runner().run(context -> {
            Store store = store(context);
            ((DefaultListableBeanFactory) context.getBeanFactory()).destroySingleton("dataSource");
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::count);
        });
    }

    /** Boot's lazy connections are proxies. */
    @Test
    void connectionsMayBeFetchedLazily() {
        runner().withPropertyValues("spring.datasource.connection-fetch=lazy")
                .run(context -> assertWorks(store(context)));
    }

    /** Tells whether the store was closed when it is closed itself. */
    static final class Closing extends DelegatingDataSource implements AutoCloseable {

        private final List<String> told;
        private volatile @Nullable Store store;

        Closing(List<String> told) {
            super(TestDatabase.dataSource());
            this.told = told;
        }

        @Override
        public void close() {
            try {
                told.add("the store was open with "
                        + Objects.requireNonNull(store).count());
            } catch (StoreClosedException e) {
                told.add("the store was closed");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Marked {

        private final String url = TestDatabase.url();

        @Bean(defaultCandidate = false)
        @StoreDataSource
        DataSource sessions() {
            return DataSourceBuilder.create().url(url).username("application").build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryOfAnotherKind {

        @Bean
        @Primary
        DataSource forTheRest() {
            return new JdbcDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryAndOther {

        @Bean
        @Primary
        DataSource first() {
            return TestDatabase.dataSource();
        }

        @Bean
        DataSource second() {
            return new JdbcDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {

        @Bean
        DataSource first() {
            return TestDatabase.dataSource();
        }

        @Bean
        DataSource second() {
            return TestDatabase.dataSource();
        }
    }
}
