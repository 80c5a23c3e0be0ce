package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@RecordApplicationEvents
class ShopTest {

    @Autowired
    private Store store;

    @Autowired
    private StoreEventPublisher publisher;

    @Autowired
    private StoreMetrics metrics;

    @Test
    void theStoreIsTheShop(@Autowired ApplicationEvents events) {
        publisher.open(store);
        assertThat(events.stream(StoreEventPublisher.Opened.class)).hasSize(1);
        assertThat(metrics.visit()).isPositive();
    }
}
