package org.example.lines;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.support.locks.LockRegistry;

/** Makes orders of lines. */
@Configuration(proxyBeanMethods = false)
@EnableIntegration
public class LinesApplication {

    @Bean
    QueueChannel orders() {
        return new QueueChannel();
    }

    @Bean
    IntegrationFlow linesToOrders(MessageGroupStore messages, LockRegistry<?> locks) {
        return IntegrationFlow.from("lines")
                .aggregate(lines -> lines.messageStore(messages).lockRegistry(locks))
                .channel("orders")
                .get();
    }
}
