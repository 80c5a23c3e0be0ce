package org.example.mail;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.messaging.MessageChannel;

import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Spring Integration's own beans on what the properties add. */
class MailApplicationTests {

    /** For a busy machine; the parties try twenty times a second. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private static ApplicationContextRunner mail(ApplicationContextRunner runner) {
        return runner.withUserConfiguration(MailApplication.class)
                .withBean(Mailbox.class)
                .withPropertyValues("store.lock-registry.enabled=true", "store.metadata-store.enabled=true");
    }

    private static void send(ApplicationContext context, int id) {
        boolean unused = context.getBean("mailChannel", MessageChannel.class)
                .send(MessageBuilder.withPayload("Mail " + id)
                        .setHeader("mailId", id)
                        .build());
    }

    private static List<Object> received(ApplicationContext context) {
        return context.getBean(MailApplication.Mails.class).received();
    }

    private static LockRegistryLeaderInitiator leader(ApplicationContext context) {
        return context.getBean(LockRegistryLeaderInitiator.class);
    }

    @Test
    void aMailIsReceivedOnceAlsoAfterARestart() {
        ApplicationContextRunner runner = mail(StarterRunner.at(folder));
        runner.run(context -> {
            Stream.of(1, 2, 1, 2).forEach(id -> send(context, id));
            assertThat(received(context)).containsExactly("Mail 1", "Mail 2");
            await().atMost(PATIENCE).until(() -> leader(context).getContext().isLeader());
            context.getBean(Mailbox.class).fetch("inbox");
            assertThat(context.getBean(Mailbox.class).mails()).isEqualTo(1);
        });
        runner.run(context -> {
            Stream.of(2, 3).forEach(id -> send(context, id));
            assertThat(received(context)).containsExactly("Mail 3");
            await().atMost(PATIENCE).until(() -> leader(context).getContext().isLeader());
        });
    }

    @Tag("postgresql")
    @Test
    void oneOfTwoInstancesReceivesAMailAndOneIsTheLeader() {
        ApplicationContextRunner runner = mail(StarterRunner.onPostgreSql(TestDatabase.freshName()));
        runner.run(one -> runner.run(other -> {
            List<ApplicationContext> instances = List.of(one, other);
            for (int id = 1; id <= 6; id++) {
                send(instances.get(id % 2), id);
                send(instances.get(1 - id % 2), id);
            }
            List<Object> all = new ArrayList<>(received(one));
            all.addAll(received(other));
            assertThat(all).hasSize(6).doesNotHaveDuplicates();

            await().atMost(PATIENCE).until(() -> leaders(instances) == 1);
            LockRegistryLeaderInitiator first = leader(one).getContext().isLeader() ? leader(one) : leader(other);
            LockRegistryLeaderInitiator second = first == leader(one) ? leader(other) : leader(one);
            first.stop();
            await().atMost(PATIENCE).until(() -> second.getContext().isLeader());
            assertThat(first.getContext().isLeader()).isFalse();
            first.start();
            second.stop();
            await().atMost(PATIENCE).until(() -> first.getContext().isLeader());
        }));
    }

    private static long leaders(List<ApplicationContext> instances) {
        return instances.stream()
                .filter(instance -> leader(instance).getContext().isLeader())
                .count();
    }
}
