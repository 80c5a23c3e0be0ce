package org.example.orders;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Component;

@Component
class Prices {

    private final AtomicInteger lookups = new AtomicInteger();

    @Cacheable("prices")
    public int of(String article) {
        lookups.incrementAndGet();
        return article.length() * 100;
    }

    public int lookups() {
        return lookups.get();
    }
}
