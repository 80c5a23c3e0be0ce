package dev.ttlstore.spring.values;

import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

/** Codecs may be found by their type, so one that a subclass has said equals the one that is written. */
class ValueTypesTests {

    @SuppressWarnings({"NullAway.Init", "UnusedVariable", "rawtypes"})
    abstract static class Base<T, E extends Enum<E>> {
        T plain;
        T[] array;
        List<T> list;
        List<T[]> listOfArrays;
        List<Map.Entry<T, Long>> entries;
        List<T>[][] arrays;
        Map<String, ? extends T> wildcard;
        E[] constants;
        List<E> listOfConstants;
        EnumSet raw;
        List<EnumSet> listOfRaw;
        List<?> anything;
        List<?>[] arrayOfAnything;
    }

    @SuppressWarnings({"NullAway.Init", "UnusedVariable"})
    static final class Written {
        String plain;
        String[] array;
        List<String> list;
        List<String[]> listOfArrays;
        List<Map.Entry<String, Long>> entries;
        List<String>[][] arrays;
        Map<String, String> wildcard;
    }

    static class Texts extends Base<String, Thread.State> {}

    @SuppressWarnings("rawtypes")
    static class Raw extends Base {}

    @ParameterizedTest
    @ValueSource(strings = {"plain", "array", "list", "listOfArrays", "entries", "arrays", "wildcard"})
    void aTypeOfASubclassEqualsTheOneThatIsWritten(String field) throws NoSuchFieldException {
        Type written = Written.class.getDeclaredField(field).getGenericType();
        Type found = Objects.requireNonNull(found(field, Texts.class));
        assertThat(found).isEqualTo(written).hasSameHashCodeAs(written);
        assertThat(written).isEqualTo(found);
        assertThat(found(field, Texts.class)).hasToString(found.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "array", "list", "listOfArrays", "entries", "arrays", "wildcard", "listOfConstants"})
    void aTypeThatNobodyHasSaidIsUnknown(String field) throws NoSuchFieldException {
        assertThat(found(field, Raw.class)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw", "listOfRaw", "anything", "arrayOfAnything"})
    void aTypeWithoutItsArgumentsIsUnknown(String field) throws NoSuchFieldException {
        assertThat(found(field, Texts.class)).isNull();
    }

    @SuppressWarnings({"NullAway.Init", "UnusedVariable"})
    abstract static class Named<E> {
        E value;
    }

    @SuppressWarnings("rawtypes")
    static class OfRaw extends Named<List> {}

    @Test
    void aRawTypeWhoseVariableHasTheNameOfAnotherIsUnknown() throws NoSuchFieldException {
        Field field = Named.class.getDeclaredField("value");
        assertThat(ValueTypes.of(ResolvableType.forField(field, OfRaw.class))).isNull();
    }

    private static @Nullable Type found(String field, Class<?> seenFrom) throws NoSuchFieldException {
        return ValueTypes.of(ResolvableType.forField(Base.class.getDeclaredField(field), seenFrom));
    }
}
