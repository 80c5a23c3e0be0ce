package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.InOrder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import dev.ttlstore.CodecFactory;
import dev.ttlstore.Group;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/** What customizers, or a store of the application, do beside the properties. */
class StoreBuilderCustomizerTests {

    @TempDir
    private Path folder;

    record Invite(String mail) {}

    @Configuration(proxyBeanMethods = false)
    static class Counted {

        @Bean
        StoreBuilderCustomizer counted() {
            return builder -> builder.group("invites", GroupSettings.defaults().withStatistics(true));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Mine {

        @Bean
        Store mine(CodecFactory codecs) {
            return Store.builder()
                    .inMemory()
                    .codecs(codecs)
                    .purgeInterval(Duration.ZERO)
                    .open();
        }
    }

    @Test
    void aStoreOfTheApplicationKeepsJsonWhenItIsHandedTheCodecs() {
        StoreRunner.at(folder).withUserConfiguration(Mine.class).run(context -> {
            Group<Invite> invites = context.getBean(Store.class).group("invites", Invite.class);
            invites.put("key", new Invite("ann@example.org"));
            assertThat(invites.get("key")).contains(new Invite("ann@example.org"));
        });
    }

    @Test
    void aCustomizerCanDoWhatTheBuilderCan() {
        StoreRunner.at(folder).withUserConfiguration(Counted.class).run(context -> assertThat(
                        context.getBean(Store.class).activity().groups())
                .containsOnlyKeys("invites"));
    }

    @Test
    void customizersHaveTheLastWord() {
        StoreRunner.at(folder)
                .withPropertyValues("store.max-value-size=1KB")
                .withBean(
                        StoreBuilderCustomizer.class,
                        () -> builder -> builder.maxValueSize(4).path(folder.resolve("other.db")))
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    assertThat(store.path()).hasFileName("other.db");
                    store.group("group").putAll(Map.of("key", "four"));
                    assertThat(store.group("group").get("key")).contains("four");
                });
    }

    /** The features apply their properties by customizers too. */
    @Test
    void theFirstCustomizerAlsoComesAfterTheProperties() {
        StoreRunner.at(folder)
                .withPropertyValues("store.events.history=7", "store.expiry.on-time=false")
                .withBean(StoreBuilderCustomizer.class, First::new)
                .run(context -> {
                    StoreBuilder builder = mock(StoreBuilder.class);
                    context.getBeanProvider(StoreBuilderCustomizer.class)
                            .orderedStream()
                            .forEach(customizer -> customizer.customize(builder));
                    InOrder order = inOrder(builder);
                    order.verify(builder).eventHistory(7);
                    order.verify(builder).eventHistory(2);
                    order = inOrder(builder);
                    order.verify(builder).expiryOnTime(false);
                    order.verify(builder).expiryOnTime(true);
                });
    }

    private static final class First implements StoreBuilderCustomizer, Ordered {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public void customize(StoreBuilder builder) {
            builder.eventHistory(2);
            builder.expiryOnTime(true);
        }
    }
}
