package dev.ttlstore.contract.linear;

/**
 * What an operation answers when nothing runs beside it, and what it leaves behind.
 *
 * @param answer the answer
 * @param next the state after it
 * @param <S> the type of the state, a value with {@code equals}
 */
public record CallOutcome<S>(Object answer, S next) {}
