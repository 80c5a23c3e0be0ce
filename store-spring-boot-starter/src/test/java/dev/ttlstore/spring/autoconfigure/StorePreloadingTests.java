package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;

class StorePreloadingTests {

    @TempDir
    private Path folder;

    @Test
    void sqliteIsLoadedInTheBackgroundForTheStartersStore() {
        StoreRunner.at(folder).run(context -> assertThat(
                        context.getBean(StorePreloading.class).hasBegun())
                .isEqualTo(Runtime.getRuntime().availableProcessors() > 1));
    }

    @Test
    void sqliteIsNotLoadedForAnApplicationWithAStoreOfItsOwn() {
        StoreRunner.at(folder).withBean("mine", Store.class, Store::inMemory).run(context -> assertThat(
                        context.getBean(StorePreloading.class).hasBegun())
                .isFalse());
    }

    @Test
    void anApplicationOptsOutAsItDoesOfBootsOwn() {
        StoreRunner.at(folder)
                .withPropertyValues("spring.backgroundpreinitializer.ignore=true")
                .run(context -> assertThat(
                                context.getBean(StorePreloading.class).hasBegun())
                        .isFalse());
    }

    @Test
    void sqliteIsNotLoadedForAStoreInPostgreSql() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
                .withPropertyValues("store.engine=postgresql")
                .withBean(DataSource.class, JdbcDataSource::new)
                .withBean(StoreBuilderCustomizer.class, () -> StoreBuilder::inMemory)
                .run(context -> assertThat(
                                context.getBean(StorePreloading.class).hasBegun())
                        .isFalse());
    }
}
