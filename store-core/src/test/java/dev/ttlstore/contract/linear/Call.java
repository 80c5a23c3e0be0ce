package dev.ttlstore.contract.linear;

import java.util.function.Function;

/**
 * A call that has come to its end. The two times are places in one order of all beginnings and ends: a call that ended
 * before another began came before it.
 *
 * @param thread who called
 * @param operation what was called, with its arguments, in words for people
 * @param answer what was answered
 * @param began the place of the beginning
 * @param ended the place of the end
 * @param model what the operation does when nothing runs beside it
 * @param <S> the type of the state
 */
public record Call<S>(
        String thread, String operation, Object answer, long began, long ended, Function<S, CallOutcome<S>> model) {

    @Override
    public String toString() {
        return "%4d to %4d  %-8s  %s -> %s".formatted(began, ended, thread, operation, answer);
    }
}
