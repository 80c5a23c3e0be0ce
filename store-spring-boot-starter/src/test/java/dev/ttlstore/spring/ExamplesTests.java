package dev.ttlstore.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.event.StoreEventAutoConfiguration;
import dev.ttlstore.spring.expiry.StoreExpiryAutoConfiguration;
import dev.ttlstore.spring.json.StoreJacksonAutoConfiguration;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Examples of the documentation, as they stand there; those that are not here are in tests of their own. */
@ExtendWith(OutputCaptureExtension.class)
class ExamplesTests {

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(AutoConfigurations.of(
                        StoreAutoConfiguration.class,
                        StoreEventAutoConfiguration.class,
                        StoreExpiryAutoConfiguration.class,
                        StoreJacksonAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("app.db"));
    }

    record Invite(String mail) {}

    @Test
    void theFiveLinesWork() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            Group<Invite> invites = store.group("invites", Invite.class);
            String key = invites.add(new Invite("ann@example.org"), Duration.ofDays(10));
            Optional<Invite> waiting = invites.get(key);
            Optional<Invite> used = invites.take(key);
            boolean again = invites.take(key).isPresent();
            assertThat(waiting).contains(new Invite("ann@example.org"));
            assertThat(used).isEqualTo(waiting);
            assertThat(again).isFalse();
        });
    }

    /** A part of a controller whose threads must not wait. */
    record Invites(Group<Invite> invites) {

        Mono<String> invite(Invite invite) {
            return Mono.fromFuture(() -> invites.async().add(invite, Duration.ofDays(10)));
        }

        Mono<Invite> find(String key) {
            return Mono.fromCallable(() -> invites.get(key).orElse(null)).subscribeOn(Schedulers.boundedElastic());
        }
    }

    @Test
    void aReactiveControllerWritesAndReads() {
        runner().run(context -> {
            Invites invites = new Invites(context.getBean(Store.class).group("invites", Invite.class));
            Invite invite = new Invite("ann@example.org");
            assertThat(invites.invite(invite).flatMap(invites::find).block()).isEqualTo(invite);
            assertThat(invites.find("missing").blockOptional()).isEmpty();
        });
    }

    static class Expiries {

        private static final Logger log = LoggerFactory.getLogger(Expiries.class);

        private final AtomicInteger told = new AtomicInteger();

        @EventListener
        void onExpired(EntryExpired event) {
            log.info("An entry of {} expired at {}", event.group(), event.expiresAt());
        }

        @EventListener
        void count(EntryExpired event) {
            told.incrementAndGet();
        }
    }

    @Test
    void theListenerIsTold() {
        runner().withBean(Expiries.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("banner", "hello", Duration.ofMillis(1));
            await().untilAsserted(() ->
                    assertThat(context.getBean(Expiries.class).told).hasValue(1));
        });
    }

    @Test
    void theReminderIsCalled(CapturedOutput output) {
        runner().withBean(Reminders.class).run(context -> {
            Group<Reminders.Invite> invites = context.getBean(Store.class).group("invites", Reminders.Invite.class);
            invites.add(new Reminders.Invite("ann@example.org"), Duration.ofMillis(1));
            await().until(() -> output.getOut().contains("ann@example.org has let an invitation expire"));
        });
    }
}
