package dev.ttlstore.spring.messagestore;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

import dev.ttlstore.Store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Endpoints of Spring Integration that continue after a restart, with their messages in the store. Aggregators have tests of their own. */
class EndpointsTests {

    private final Store store = Store.inMemory();
    private final StoreMessageStore messages = new StoreMessageStore(store, StoreMessageStoreContract.CODEC);

    @AfterEach
    void close() {
        store.close();
    }

    /** How long a delayer keeps messages. */
    record Delay(long millis) {}

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Flows {

        @Bean
        QueueChannel out() {
            return new QueueChannel();
        }

        @Bean
        IntegrationFlow delayer(StoreMessageStore messages, Delay delay) {
            return IntegrationFlow.from("delayed")
                    .delay(delayer -> delayer.messageGroupId("delays")
                            .defaultDelay(delay.millis())
                            .messageStore(messages))
                    .channel("out")
                    .get();
        }

        @Bean
        IntegrationFlow resequencer(StoreMessageStore messages) {
            return IntegrationFlow.from("unordered")
                    .resequence(
                            resequencer -> resequencer.messageStore(messages).releasePartialSequences(true))
                    .channel("out")
                    .get();
        }

        @Bean
        IntegrationFlow claimCheckIn(StoreMessageStore messages) {
            return IntegrationFlow.from("in")
                    .claimCheckIn(messages)
                    .channel("out")
                    .get();
        }

        @Bean
        IntegrationFlow claimCheckOut(StoreMessageStore messages) {
            return IntegrationFlow.from("claims")
                    .claimCheckOut(messages, true)
                    .channel("out")
                    .get();
        }
    }

    /** An instance of the application. */
    private final class Instance implements AutoCloseable {

        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

        private Instance(long delayMillis) {
            context.registerBean(StoreMessageStore.class, () -> messages);
            context.registerBean(Delay.class, () -> new Delay(delayMillis));
            context.register(Flows.class);
            context.refresh();
        }

        void send(String channel, Message<?> message) {
            assertThat(context.getBean(channel, MessageChannel.class).send(message))
                    .isTrue();
        }

        Object receive() {
            return requireNonNull(context.getBean(QueueChannel.class).receive(TimeUnit.MINUTES.toMillis(1)))
                    .getPayload();
        }

        List<Object> received() {
            return context.getBean(QueueChannel.class).clear().stream()
                    .<Object>map(Message::getPayload)
                    .toList();
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static Message<?> line(int number) {
        return MessageBuilder.withPayload(number)
                .setCorrelationId("order")
                .setSequenceNumber(number)
                .setSequenceSize(3)
                .build();
    }

    @Test
    void theyContinueAfterARestart() {
        Object claim;
        try (Instance before = new Instance(TimeUnit.HOURS.toMillis(1))) {
            before.send("delayed", StoreMessageStoreContract.message("late"));
            before.send("unordered", line(3));
            before.send("unordered", line(1));
            assertThat(before.received()).containsExactly(1);
            before.send("in", StoreMessageStoreContract.message("large"));
            claim = before.receive();
        }
        assertThat(messages.messageGroupSize("delays")).isEqualTo(1);
        try (Instance after = new Instance(1)) {
            assertThat(after.receive()).isEqualTo("late");
            after.send("unordered", line(2));
            assertThat(after.received()).containsExactly(2, 3);
            after.send("claims", StoreMessageStoreContract.message(claim));
            assertThat(after.received()).containsExactly("large");
        }
        assertThat(messages.getMessageCountForAllMessageGroups()).isZero();
        assertThat(messages.getMessageCount()).isZero();
    }
}
