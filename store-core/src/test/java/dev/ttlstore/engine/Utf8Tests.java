package dev.ttlstore.engine;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

@Promise(12)
class Utf8Tests {

    /** The edges of what takes one, two, three and four bytes, and of the surrogates between them. */
    private static final int[] EDGES = {
        0x1, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x103FF, 0x10400, 0x1F511,
        0x10FFFF
    };

    private final Random random = new Random(42);

    @Test
    void theOrderIsThatOfTheBytes() {
        for (int i = 0; i < 20_000; i++) {
            String a = text();
            String b = random.nextBoolean() ? text() : a + text();
            assertThat(Integer.signum(Utf8.ORDER.compare(a, b)))
                    .as("%s and %s", Arrays.toString(a.toCharArray()), Arrays.toString(b.toCharArray()))
                    .isEqualTo(Integer.signum(bytewise(a, b)));
            assertThat(Utf8.ORDER.compare(a, a)).isZero();
        }
    }

    @Test
    void theLengthIsThatOfTheBytes() {
        for (int i = 0; i < 5_000; i++) {
            String text = text();
            assertThat(Utf8.lengthOf(text)).isEqualTo(text.getBytes(UTF_8).length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "\uDD11", "a\uD83D", "\uD83Da", "\uDD11\uD83D", "\uD83D\uD83D\uDD11"})
    void halfOfASurrogatePairHasNoLength(String text) {
        assertThat(Utf8.lengthOf(text)).isEqualTo(Utf8.MALFORMED);
    }

    @Test
    void nothingComesBetweenANameAndTheNext() {
        for (int i = 0; i < 5_000; i++) {
            String name = text();
            String next = Utf8.next(name);
            String other = random.nextBoolean() ? text() : name + text();
            assertThat(bytewise(name, next)).isNegative();
            assertThat(bytewise(other, name) <= 0 || bytewise(other, next) >= 0).isTrue();
        }
    }

    @Test
    void whatBeginsWithAPrefixIsBeforeItsEndAndNothingElseIsBehindIt() {
        for (int i = 0; i < 20_000; i++) {
            String prefix = text();
            String end = Utf8.afterPrefix(prefix);
            String name = random.nextBoolean() ? text() : prefix + text();
            boolean within = bytewise(name, prefix) >= 0 && (end == null || bytewise(name, end) < 0);
            assertThat(within).isEqualTo(name.startsWith(prefix));
            assertThat(end == null || Utf8.lengthOf(end) != Utf8.MALFORMED).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"a, b", "az, a{", "\uD7FF, \uE000", "\uFFFF, \uD800\uDC00", "a\uDBFF\uDFFF, b", "\u007F, \u0080"})
    void theEndOfAPrefixIsThePrefixWithItsLastCharacterRaised(String prefix, String end) {
        assertThat(Utf8.afterPrefix(prefix)).isEqualTo(end);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uDBFF\uDFFF", "\uDBFF\uDFFF\uDBFF\uDFFF"})
    void nothingCanBeBehindSomePrefixes(String prefix) {
        assertThat(Utf8.afterPrefix(prefix)).isNull();
    }

    private static int bytewise(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.appendCodePoint(EDGES[random.nextInt(EDGES.length)]);
        }
        return text.toString();
    }
}
