package dev.ttlstore.spring.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.IsolationLevelDataSourceAdapter;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.StarterRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** One thread commits the writes of many, so the database must not depend on the thread. */
class RoutingSourceTests {

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    static Stream<DataSource> routing() {
        return Stream.of(
                tenants(),
                new LazyConnectionDataSourceProxy(tenants()),
                new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(tenants())),
                new ShardingKeyDataSourceAdapter(new JdbcDataSource()),
                loggingIn(new UserCredentialsDataSourceAdapter()),
                new LazyConnectionDataSourceProxy(loggingIn(new IsolationLevelDataSourceAdapter())),
                pool(tenants()),
                new LazyConnectionDataSourceProxy(pool(tenants())),
                observed(tenants()),
                observed(pool(tenants())),
                observed(new LazyConnectionDataSourceProxy(pool(observed(pool(tenants()))))),
                pool(observed(tenants())),
                new TransactionAwareDataSourceProxy(observed(new LazyConnectionDataSourceProxy(tenants()))));
    }

    static Stream<DataSource> fixed() {
        return Stream.of(
                new JdbcDataSource(),
                pool(new JdbcDataSource()),
                new LazyConnectionDataSourceProxy(pool(new JdbcDataSource())),
                observed(new JdbcDataSource()),
                observed(new LazyConnectionDataSourceProxy(pool(observed(new JdbcDataSource())))),
                refusingToTell());
    }

    private static DataSource tenants() {
        AbstractRoutingDataSource source = new AbstractRoutingDataSource() {
            @Override
            protected @Nullable Object determineCurrentLookupKey() {
                return TENANT.get();
            }
        };
        source.setTargetDataSources(Map.of("acme", new JdbcDataSource()));
        source.setDefaultTargetDataSource(new JdbcDataSource());
        source.afterPropertiesSet();
        return source;
    }

    /** As the user of the thread that asks. */
    private static DataSource loggingIn(UserCredentialsDataSourceAdapter source) {
        source.setTargetDataSource(pool(new JdbcDataSource()));
        return source;
    }

    private static HikariDataSource pool(DataSource source) {
        HikariDataSource pool = new HikariDataSource(); // without a connection
        pool.setDataSource(source);
        return pool;
    }

    /** As a library that logs or measures statements wraps it. */
    private static DataSource observed(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                RoutingSourceTests.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(source, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static DataSource refusingToTell() {
        return (DataSource) Proxy.newProxyInstance(
                RoutingSourceTests.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    throw new SQLException("not told");
                });
    }

    @ParameterizedTest
    @MethodSource("routing")
    void aSourceThatChoosesByTheThreadIsFoundInsideOthers(DataSource source) {
        assertThat(RoutingSource.is(source)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("fixed")
    void aSourceThatLeadsToOneDatabaseIsNone(DataSource source) {
        assertThat(RoutingSource.is(source)).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    static class Tenants {

        @Bean
        @Primary
        DataSource tenantSource() {
            return new LazyConnectionDataSourceProxy(tenants());
        }
    }

    @Test
    void itIsRefusedAtTheStartWithTheWayOut() {
        StarterRunner.onPostgreSql("unused")
                .withUserConfiguration(Tenants.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(StoreException.class, refused -> {
                            assertThat(refused.problem())
                                    .contains("the DataSource 'tenantSource'", "by the thread that asks");
                            assertThat(refused.remedy()).contains("@StoreDataSource", "defaultCandidate");
                        }));
    }
}
