package dev.ttlstore.contract;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.assertj.core.api.AbstractBooleanAssert;
import org.assertj.core.api.AbstractByteArrayAssert;
import org.assertj.core.api.AbstractComparableAssert;
import org.assertj.core.api.AbstractDoubleAssert;
import org.assertj.core.api.AbstractDurationAssert;
import org.assertj.core.api.AbstractInstantAssert;
import org.assertj.core.api.AbstractIntArrayAssert;
import org.assertj.core.api.AbstractIntegerAssert;
import org.assertj.core.api.AbstractLongArrayAssert;
import org.assertj.core.api.AbstractLongAssert;
import org.assertj.core.api.AbstractPathAssert;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.AtomicBooleanAssert;
import org.assertj.core.api.AtomicIntegerAssert;
import org.assertj.core.api.AtomicLongAssert;
import org.assertj.core.api.AtomicReferenceAssert;
import org.assertj.core.api.ClassAssert;
import org.assertj.core.api.CompletableFutureAssert;
import org.assertj.core.api.FutureAssert;
import org.assertj.core.api.IterableAssert;
import org.assertj.core.api.IteratorAssert;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.MapAssert;
import org.assertj.core.api.ObjectArrayAssert;
import org.assertj.core.api.ObjectAssert;
import org.assertj.core.api.OptionalAssert;
import org.assertj.core.api.OptionalLongAssert;
import org.assertj.core.api.PredicateAssert;
import org.jspecify.annotations.NullUnmarked;

/**
 * AssertJ's {@code assertThat} for the types that tests of this module look at. AssertJ has a hundred of them, and the compiler tries each
 * with each call: that took more than half of the time in which the tests are compiled. What is missing here may be added.
 */
@NullUnmarked
public final class Assertions {

    private Assertions() {}

    public static AbstractBooleanAssert<?> assertThat(boolean actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractBooleanAssert<?> assertThat(Boolean actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractIntegerAssert<?> assertThat(int actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractIntegerAssert<?> assertThat(Integer actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractLongAssert<?> assertThat(long actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractLongAssert<?> assertThat(Long actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractDoubleAssert<?> assertThat(double actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractByteArrayAssert<?> assertThat(byte[] actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractIntArrayAssert<?> assertThat(int[] actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractLongArrayAssert<?> assertThat(long[] actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractStringAssert<?> assertThat(String actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractDurationAssert<?> assertThat(Duration actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractInstantAssert<?> assertThat(Instant actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AbstractPathAssert<?> assertThat(Path actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static ClassAssert assertThat(Class<?> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static OptionalLongAssert assertThat(OptionalLong actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AtomicBooleanAssert assertThat(AtomicBoolean actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AtomicIntegerAssert assertThat(AtomicInteger actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static AtomicLongAssert assertThat(AtomicLong actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T> AtomicReferenceAssert<T> assertThat(AtomicReference<T> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T> OptionalAssert<T> assertThat(Optional<T> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T> FutureAssert<T> assertThat(Future<T> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T> CompletableFutureAssert<T> assertThat(CompletableFuture<T> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T> PredicateAssert<T> assertThat(Predicate<T> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T extends Throwable> AbstractThrowableAssert<?, T> assertThat(T actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T extends Comparable<? super T>> AbstractComparableAssert<?, T> assertThat(T actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <E> ListAssert<E> assertThat(List<? extends E> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <E> ListAssert<E> assertThat(Stream<? extends E> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <E> IterableAssert<E> assertThat(Iterable<? extends E> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <E> IteratorAssert<E> assertThat(Iterator<? extends E> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <K, V> MapAssert<K, V> assertThat(Map<K, V> actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T> ObjectArrayAssert<T> assertThat(T[] actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }

    public static <T> ObjectAssert<T> assertThat(T actual) {
        return org.assertj.core.api.Assertions.assertThat(actual);
    }
}
