package dev.ttlstore.engine.support;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What is said of exceptions of the application's code. */
@Promise(12)
class ThrownTests {

    @Test
    void aLineHasClassesAndPlacesOfTheApplicationAndNoMessage() {
        Throwable failure = catchThrowable(() -> Long.parseLong("secret"));
        assertThat(Thrown.line(new IllegalStateException("also secret", failure)))
                .startsWith("java.lang.IllegalStateException at dev.ttlstore.engine.support.ThrownTests.")
                .contains("; caused by java.lang.NumberFormatException at dev.ttlstore.engine.support.ThrownTests.")
                .doesNotContain("secret");
    }

    @Test
    void theStoresOwnMessagesAreKept() {
        assertThat(Thrown.line(new StoreException("The disk is full")))
                .startsWith("dev.ttlstore.exception.StoreException: The disk is full at ");
    }

    @Test
    void causesMayFormACircleAndStacksMayBeEmpty() {
        Exception first = new Exception("secret");
        Exception second = new Exception("secret", first);
        first.initCause(second);
        first.setStackTrace(new StackTraceElement[0]);
        assertThat(Thrown.line(second)).doesNotContain("secret").hasSizeLessThan(5_000);
        assertThat(Thrown.withoutMessages(second)).hasMessage("java.lang.Exception");
    }

    @Test
    void aCopyHasTheSameStackAndCausesWithoutMessages() {
        Exception failure = new IllegalStateException("secret", new IllegalArgumentException("secret"));
        Throwable copy = Thrown.withoutMessages(failure);
        assertThat(copy.getStackTrace()).isEqualTo(failure.getStackTrace());
        assertThat(copy).hasMessage("java.lang.IllegalStateException");
        assertThat(copy.getCause()).hasMessage("java.lang.IllegalArgumentException");
    }
}
