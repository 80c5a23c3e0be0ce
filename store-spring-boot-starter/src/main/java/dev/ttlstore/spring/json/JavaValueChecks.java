package dev.ttlstore.spring.json;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Checks for the few values of Java's classes that do not come back, though their others do. */
final class JavaValueChecks {

    private static final int FAR_FROM_OVERFLOW = 1_000_000_000;

    private JavaValueChecks() {}

    static ClassTest of(Class<?> type) {
        if (type == OptionalInt.class || type == OptionalLong.class || type == OptionalDouble.class) {
            return present(ClassTest.PASSES);
        } else if (type == Locale.class) {
            return value -> value == null || isTag((Locale) value);
        }
        return type == BigDecimal.class ? value -> value == null || hasExponent((BigDecimal) value) : ClassTest.PASSES;
    }

    /** Tests an optional, which is empty when it was null. */
    static ClassTest present(ClassTest test) {
        return value -> value != null && test.passes(value);
    }

    /** Tests keys of maps, in which Jackson reads only whole characters. */
    static ClassTest ofKey(Class<?> type) {
        if (type == String.class) {
            return key -> !(key instanceof String text) || isWhole(text);
        } else if (type == Character.class) {
            return key -> !(key instanceof Character letter) || !Character.isSurrogate(letter);
        }
        return of(type);
    }

    private static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (Character.isSurrogate(each)) {
                if (Character.isLowSurrogate(each)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** A language tag leaves out what does not belong into one, such as an old variant. */
    private static boolean isTag(Locale locale) {
        return Locale.forLanguageTag(locale.toLanguageTag()).equals(locale);
    }

    /** The exponent of the text is not the scale, and can be larger than any that Java reads. */
    private static boolean hasExponent(BigDecimal number) {
        return number.scale() > -FAR_FROM_OVERFLOW && number.scale() < FAR_FROM_OVERFLOW;
    }
}
