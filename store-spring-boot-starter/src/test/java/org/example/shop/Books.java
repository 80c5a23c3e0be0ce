package org.example.shop;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;

/** Methods whose results are cached. */
public class Books {

    private final AtomicInteger calls = new AtomicInteger();

    /** Returns how often a method was called, and not its cache. */
    public int calls() {
        return calls.get();
    }

    @Cacheable("books")
    public Book find(String isbn) {
        calls.incrementAndGet();
        return new Book(isbn, "Title of " + isbn, new BigDecimal("9.90"));
    }

    @Cacheable(cacheNames = "books", sync = true)
    public Book findOnce(String isbn) {
        calls.incrementAndGet();
        return new Book(isbn, "Title of " + isbn, new BigDecimal("9.90"));
    }

    @Cacheable("stock")
    public @Nullable Integer stock(String isbn, int warehouse) {
        calls.incrementAndGet();
        return warehouse == 0 ? null : warehouse;
    }

    @Cacheable("shelves")
    public List<Book> shelf(String name) {
        calls.incrementAndGet();
        return List.of(new Book(name, "Title of " + name, new BigDecimal("9.90")));
    }

    @Cacheable("objects")
    public Object object(String name) {
        calls.incrementAndGet();
        return new Object() {};
    }

    @CacheEvict("books")
    public void changed(String isbn) {}
}
