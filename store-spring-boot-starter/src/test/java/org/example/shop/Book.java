package org.example.shop;

import java.math.BigDecimal;

/** A value of a cache, which need not be Serializable. */
public record Book(String isbn, String title, BigDecimal price) {}
