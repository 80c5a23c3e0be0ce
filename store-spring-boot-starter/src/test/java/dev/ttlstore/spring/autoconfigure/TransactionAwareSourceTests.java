package dev.ttlstore.spring.autoconfigure;

import java.util.stream.Stream;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.StarterRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** The store commits on its connections, so none may be that of a transaction of the application. */
class TransactionAwareSourceTests {

    static Stream<DataSource> hidden() {
        return Stream.of(
                new DelegatingDataSource(aware()),
                new LazyConnectionDataSourceProxy(aware()),
                new TransactionAwareDataSourceProxy(new DelegatingDataSource(aware())));
    }

    static Stream<DataSource> notHidden() {
        DataSource plain = new JdbcDataSource();
        return Stream.of(plain, aware(), new DelegatingDataSource(plain));
    }

    private static DataSource aware() {
        return new TransactionAwareDataSourceProxy(new JdbcDataSource());
    }

    @ParameterizedTest
    @MethodSource("hidden")
    void oneInsideAnotherIsFound(DataSource source) {
        assertThat(TransactionAwareSource.isHiddenIn(source)).isTrue();
    }

    /** An outermost one is left out. */
    @ParameterizedTest
    @MethodSource("notHidden")
    void othersAreNone(DataSource source) {
        assertThat(TransactionAwareSource.isHiddenIn(source)).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    static class Observed {

        @Bean
        @Primary
        DataSource observedSource() {
            return new DelegatingDataSource(aware());
        }
    }

    @Test
    void itIsRefusedAtTheStartWithTheWayOut() {
        StarterRunner.onPostgreSql("unused")
                .withUserConfiguration(Observed.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(StoreException.class, refused -> {
                            assertThat(refused.problem())
                                    .contains("the DataSource 'observedSource'", "TransactionAwareDataSourceProxy");
                            assertThat(refused.remedy()).contains("@StoreDataSource", "defaultCandidate");
                        }));
    }
}
