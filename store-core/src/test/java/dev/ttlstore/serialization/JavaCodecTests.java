package dev.ttlstore.serialization;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.chrono.HijrahDate;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.RestartedClasses;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Serialization of allowed classes only. */
class JavaCodecTests {

    private static final JavaCodec CODEC = codec();

    record Order(String number, List<BigDecimal> prices) implements Serializable {}

    /** Runs code when it is deserialized, as those classes do that attackers look for. */
    static final class Gadget implements Serializable {
        static final long serialVersionUID = 1;
        static boolean ran;

        private void readObject(java.io.ObjectInputStream input) throws IOException, ClassNotFoundException {
            input.defaultReadObject();
            ran = true;
        }
    }

    private static JavaCodec codec(String... patterns) {
        return new JavaCodec(AllowedClasses.of(List.of(patterns)), "store.some.property", null);
    }

    static List<Object> valuesOfJava() {
        return List.of(
                "text",
                1,
                2L,
                3.5,
                'c',
                true,
                new BigDecimal("1.10"),
                UUID.randomUUID(),
                Instant.now(),
                LocalDate.of(2026, 1, 1),
                Instant.now().atZone(ZoneOffset.UTC),
                Duration.ofDays(1),
                Locale.GERMANY,
                TimeUnit.DAYS,
                EnumSet.of(TimeUnit.DAYS),
                new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
                List.of(1, 2),
                List.of(1, 2, 3),
                Set.of("a"),
                Map.of("a", 1, "b", 2),
                new ArrayList<>(List.of("a")),
                new TreeMap<>(Map.of("a", 1)),
                new ConcurrentHashMap<>(Map.of("a", 1)),
                Collections.unmodifiableMap(new TreeMap<>(Map.of("a", 1))),
                Timestamp.valueOf("2026-01-01 10:00:00.123456789"),
                java.sql.Date.valueOf("2026-01-01"),
                Time.valueOf("10:00:00"),
                TimeZone.getTimeZone("Europe/Berlin"),
                new GregorianCalendar(2026, Calendar.MARCH, 1),
                new SimpleTimeZone(3_600_000, "here"),
                InetAddress.getLoopbackAddress(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 80),
                new File("a"),
                new TreeMap<>(Map.of("a", 1, "b", 2)).headMap("b"),
                new Properties(),
                HijrahDate.of(1447, 1, 1),
                DayOfWeek.MONDAY,
                new MathContext(3));
    }

    @ParameterizedTest
    @MethodSource("valuesOfJava")
    void valuesOfJavaAreAllowed(Object value) {
        assertThat(CODEC.decode(CODEC.encode(value))).isEqualTo(value);
    }

    @Test
    void arraysOfInterfacesAreAllowed() {
        Serializable[] values = {1, "a", new Comparable<?>[] {2L}};
        assertThat(CODEC.decode(CODEC.encode(values))).isEqualTo(values);
    }

    @Test
    void arraysAreAllowedIfTheirElementsAre() {
        assertThat(CODEC.decode(CODEC.encode(new int[][] {{1}, {2}}))).isEqualTo(new int[][] {{1}, {2}});
        assertThat(CODEC.decode(CODEC.encode(new String[] {"a"}))).isEqualTo(new String[] {"a"});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.ttlstore.serialization.JavaCodecTests$Order",
                "dev.ttlstore.serialization.*",
                "dev.ttlstore.**"
            })
    void classesOfTheApplicationAreAllowedByPatterns(String pattern) {
        Order order = new Order("1", List.of(BigDecimal.ONE));
        JavaCodec codec = codec(pattern);
        assertThat(codec.decode(codec.encode(order))).isEqualTo(order);
    }

    @Test
    void whatMayNotBeReadIsNotWritten() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.encode(new ArrayList<>(List.of(new Order("1", List.of())))))
                .withMessage("Objects of " + Order.class.getName()
                        + " may not be deserialized; if they only hold values, add '" + Order.class.getName()
                        + "' or its package to 'store.some.property'");
    }

    record Customer(Object name) implements Serializable {}

    @Test
    void allRefusedClassesAreNamedAtOnce() throws IOException {
        List<Object> value = new ArrayList<>(List.of(new Order("1", List.of()), new Customer(new Gadget[0])));
        String message =
                "Objects of %1$s$Order, %1$s$Customer, %1$s$Gadget may not be deserialized; if they only hold values,"
                        + " add '%1$s$Order', '%1$s$Customer', '%1$s$Gadget' or their packages to 'store.some.property'";
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.encode(value))
                .withMessage(message.formatted(getClass().getName()));
        byte[] bytes = codec("dev.ttlstore.**").encode(value);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.decode(bytes))
                .withMessage(message.formatted(getClass().getName()));
    }

    /** Java writes the exception behind a value that it cannot write, and it may be part of a value as well. */
    @Test
    void anExceptionThatIsRefusedHidesNothing() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.encode(new Object[] {new IOException("hidden"), new Order("1", List.of())}))
                .withMessageContaining("'java.io.IOException'")
                .withMessageContaining(Order.class.getName());
    }

    @Test
    void allThatIsNotSerializableIsNamedAtOnce() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() ->
                        CODEC.encode(new Object[] {new Thread(), new Order("1", List.of()), Runtime.getRuntime()}))
                .withMessageContaining("java.lang.Thread, java.lang.Runtime are not Serializable")
                .withMessageContaining("'" + Order.class.getName() + "'");
    }

    /** Is written as another class, which the message names as the one to allow. */
    record Money(long cents) implements Serializable {

        private Object writeReplace() {
            return new Written(cents);
        }

        record Written(long cents) implements Serializable {
            private Object readResolve() {
                return new Money(cents);
            }
        }
    }

    @Test
    void anAllowedClassMayReturnWhatItStandsFor() {
        JavaCodec codec = codec(Money.Written.class.getName());
        assertThat(codec.decode(codec.encode(new Money(1)))).isEqualTo(new Money(1));
    }

    @Test
    void theContextClassLoaderComesFirst() throws IOException {
        byte[] bytes = codec("dev.ttlstore.**").encode(new Order("1", List.of()));
        try (RestartedClasses restarted = new RestartedClasses(getClass())) {
            Object decoded =
                    restarted.whileItIsTheContext(() -> codec("dev.ttlstore.**").decode(bytes));
            assertThat(decoded.getClass().getClassLoader()).isSameAs(restarted);
        }
    }

    @Test
    void nothingOfAnotherClassIsCreated() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(new Gadget());
        }
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.decode(bytes.toByteArray()))
                .withMessageContaining(Gadget.class.getName());
        assertThat(Gadget.ran).isFalse();
        assertThat(codec("dev.ttlstore.**").decode(bytes.toByteArray())).isInstanceOf(Gadget.class);
        assertThat(Gadget.ran).isTrue();
    }

    @Test
    void whatIsNotSerializableIsNamed() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec("java.lang.*").encode(new Thread()))
                .withMessageContaining("java.lang.Thread is not Serializable");
    }

    @Test
    void proxiesAreNotCreated() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Comparable.class}, new Handler()));
        }
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec("dev.ttlstore.**").decode(bytes.toByteArray()))
                .withMessageContaining("Proxies may not be deserialized");
    }

    /** What a proxy runs. */
    private static final class Handler implements InvocationHandler, Serializable {

        static final long serialVersionUID = 1;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return 0;
        }
    }

    @Test
    void bytesThatAreNoObjectAreRefused() {
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> CODEC.decode(new byte[] {1, 2, 3}));
    }

    static class Mapped {
        transient int cached;
        private long id = 1;

        long id() {
            return id;
        }

        void setId(long id) {
            this.id = id;
        }
    }

    static final class Buyer extends Mapped implements Serializable {
        private static final long serialVersionUID = 1;
    }

    static class Named {
        Named(String name) {
            assertThat(name).isNotNull();
        }
    }

    static final class Titled extends Named implements Serializable {
        private static final long serialVersionUID = 1;

        Titled() {
            super("a");
        }
    }

    static class Logging {
        private final Object log = new Object();

        Object log() {
            return log;
        }
    }

    static final class Harmless extends Logging implements Serializable {
        private static final long serialVersionUID = 1;
    }

    @Test
    void whatAClassInheritsFromOneThatIsNotSerializableIsNotLostInSilence() {
        JavaCodec codec =
                new JavaCodec(AllowedClasses.of(List.of("dev.ttlstore.serialization.*")), "store.some.property", null);
        Buyer buyer = new Buyer();
        assertThat(((Buyer) codec.decode(codec.encode(buyer))).id()).isEqualTo(1);
        buyer.setId(2);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec.encode(buyer))
                .withMessageContaining("its field 'id' would be lost")
                .withMessageContaining(Mapped.class.getName());
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec.encode(new Titled()))
                .withMessageContaining("has no constructor without parameters");
        assertThat(codec.decode(codec.encode(new Harmless()))).isInstanceOf(Harmless.class);
    }
}
