package org.example.lines;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

import dev.ttlstore.Store;
import dev.ttlstore.spring.Java;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;
import dev.ttlstore.spring.messagestore.StoreMessageStore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** An aggregator of Spring Integration, whose groups are in the store. */
class LinesApplicationTests {

    private static final int SIZE = 3;

    private static final String SENT = "All lines are sent";

    @TempDir
    private Path folder;

    private static ApplicationContextRunner lines(ApplicationContextRunner runner) {
        return runner.withUserConfiguration(LinesApplication.class)
                .withPropertyValues("store.message-store.enabled=true", "store.lock-registry.enabled=true");
    }

    private static void send(ApplicationContext context, int order, int line) {
        boolean unused = context.getBean("lines", MessageChannel.class).send(line(order, line));
    }

    private static Message<?> line(int order, int line) {
        return MessageBuilder.withPayload(order + "." + line)
                .setCorrelationId(order)
                .setSequenceNumber(line)
                .setSequenceSize(SIZE)
                .build();
    }

    private static List<Object> orders(ApplicationContext context) {
        return context.getBean(QueueChannel.class).clear().stream()
                .<Object>map(message -> message.getPayload())
                .toList();
    }

    /** Sends lines in another process, which is killed before an order has all. */
    private void sendAndKill() throws IOException {
        Process process = Java.start(List.of("-XX:+UseSerialGC"), LinesApplicationTests.class, folder.toString());
        try (BufferedReader output = process.inputReader(UTF_8)) {
            List<String> printed = new ArrayList<>();
            assertThat(output.lines().peek(printed::add).anyMatch(SENT::equals))
                    .as(() -> String.join("\n", printed))
                    .isTrue();
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Sends lines, and waits to be killed. */
    public static void main(String[] arguments) {
        lines(StarterRunner.at(Path.of(arguments[0]))).run(context -> {
            send(context, 1, 1);
            send(context, 2, 1);
            send(context, 1, 2);
            assertThat(orders(context)).isEmpty();
            System.out.println("\n" + SENT);
            int unused = System.in.read();
        });
    }

    @Test
    void anOrderIsFinishedAfterAKill() throws IOException {
        sendAndKill();
        lines(StarterRunner.at(folder)).run(context -> {
            send(context, 1, 3);
            assertThat(orders(context)).containsExactly(List.of("1.1", "1.2", "1.3"));
            assertThat(context.getBean(MessageGroupStore.class).messageGroupSize(2))
                    .isEqualTo(1);
            send(context, 1, 3);
            assertThat(orders(context)).isEmpty(); // the order is complete, so the line is discarded
            StoreMessageStore messages = context.getBean(StoreMessageStore.class);
            messages.addMessagesToGroup(2, line(2, 2), line(2, 3)); // as if a kill had prevented their release
            assertThat(messages.expireMessageGroups(-1)).isEqualTo(2); // as a reaper does
            assertThat(orders(context)).containsExactly(List.of("2.1", "2.2", "2.3"));
            messages.removeMessageGroup(1);
            messages.removeMessageGroup(2);
            assertThat(context.getBean(Store.class)
                            .group(StoreMessageStore.GROUP)
                            .count())
                    .isZero();
        });
    }

    @Tag("postgresql")
    @Tag("variant")
    @Test
    void instancesFinishEachOrderOnce() {
        int orders = 8;
        ApplicationContextRunner runner = lines(StarterRunner.onPostgreSql(TestDatabase.freshName()));
        runner.run(one -> runner.run(other -> {
            List<Future<?>> sending = new ArrayList<>();
            try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
                for (int line = 1; line <= SIZE; line++) {
                    int number = line;
                    ApplicationContext context = line % 2 == 0 ? one : other;
                    sending.add(executor.submit(
                            () -> IntStream.range(0, orders).forEach(order -> send(context, order, number))));
                }
                for (Future<?> each : sending) {
                    Object unused = each.get(60, TimeUnit.SECONDS);
                }
            }
            List<Object> finished = new ArrayList<>(orders(one));
            finished.addAll(orders(other));
            assertThat(finished).hasSize(orders).allSatisfy(order -> assertThat((List<?>) requireNonNull(order))
                    .hasSize(SIZE));
        }));
    }
}
