package org.example.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Tells that a shop opens. Its bean is named {@code storeEventPublisher}. */
@Component
class StoreEventPublisher {

    private final ApplicationEventPublisher publisher;

    StoreEventPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    void open(Store store) {
        publisher.publishEvent(new Opened(store.city()));
    }

    record Opened(String city) {}
}
