package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;

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
}
