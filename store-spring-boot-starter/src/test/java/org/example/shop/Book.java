package org.example.shop;

import java.io.Serializable;
import java.math.BigDecimal;

/** A value of a cache. */
public record Book(String isbn, String title, BigDecimal price) implements Serializable {}
