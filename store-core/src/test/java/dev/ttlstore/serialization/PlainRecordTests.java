package dev.ttlstore.serialization;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** P25: records need not be Serializable. */
@Promise(25)
class PlainRecordTests {

    private static final JavaCodec CODEC =
            new JavaCodec(AllowedClasses.of(List.of("dev.ttlstore.serialization.*")), "store.some.property", null);

    enum Size {
        SMALL
    }

    record Book(String title, long pages, @Nullable String subtitle, Size size) {}

    record Pair<A, B>(A first, B second) {}

    record Cart(List<Book> books) implements Serializable {}

    private static final Book BOOK = new Book("Title", 5, null, Size.SMALL);

    private static Object again(Object value) {
        return CODEC.decode(CODEC.encode(value));
    }

    @Test
    void aRecordComesBackWhereverItIs() {
        assertThat(again(BOOK)).isEqualTo(BOOK);
        assertThat(again(new ArrayList<>(List.of(BOOK)))).isEqualTo(List.of(BOOK));
        assertThat(again(Map.of("a", List.of(BOOK)))).isEqualTo(Map.of("a", List.of(BOOK)));
        assertThat(again(new Cart(List.of(BOOK)))).isEqualTo(new Cart(List.of(BOOK)));
        Pair<Object, Object> pair = new Pair<>(5L, new Pair<>(BOOK, List.of(1, 2L)));
        assertThat(again(pair)).isEqualTo(pair);
    }

    @Test
    void twoReferencesToARecordStayReferences() {
        List<?> books = (List<?>) again(new ArrayList<>(List.of(BOOK, BOOK)));
        assertThat(books.get(0)).isSameAs(books.get(1));
    }

    @Test
    void aRecordMayGainAndLoseComponents() {
        String stored = new String(CODEC.encode(new Book("Title", 5, "Subtitle", Size.SMALL)), ISO_8859_1);
        byte[] earlier =
                stored.replace("pages", "price").replace("subtitle", "location").getBytes(ISO_8859_1);
        assertThat(CODEC.decode(earlier)).isEqualTo(new Book("Title", 0, null, Size.SMALL));
    }

    record Masked(String number) {

        @Override
        public String number() {
            return "****";
        }
    }

    @Test
    void stateIsStoredAndNotWhatAccessorsReturn() {
        assertThat(again(new Masked("1234"))).isEqualTo(new Masked("1234"));
    }

    record Holder(Object any) {}

    @Test
    void whatIsInARecordMustBeSerializableAndAllowed() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.encode(new Holder(new Object() {})))
                .withMessageContaining("is not Serializable");
        JavaCodec strict = new JavaCodec(AllowedClasses.of(List.of()), "store.some.property", null);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> strict.encode(new ArrayList<>(List.of(BOOK))))
                .withMessageContaining(Book.class.getName())
                .withMessageContaining("'store.some.property'");
        byte[] stored = CODEC.encode(BOOK);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> strict.decode(stored))
                .withMessageContaining(Book.class.getName());
    }

    record Positive(int number) {

        static boolean refuses;

        Positive {
            if (refuses) {
                throw new IllegalArgumentException("hunter2");
            }
        }
    }

    @Test
    void aConstructorThatRefusesWhatIsStoredIsNamedWithoutTheValue() {
        byte[] stored = CODEC.encode(new Positive(1));
        Positive.refuses = true;
        try {
            assertThatExceptionOfType(CodecException.class)
                    .isThrownBy(() -> CODEC.decode(stored))
                    .withMessageContaining(Positive.class.getName())
                    .withMessageNotContaining("hunter2");
        } finally {
            Positive.refuses = false;
        }
    }

    record Optionals(Optional<Book> some, Optional<String> none, OptionalInt number, OptionalLong empty) {}

    @Test
    void anOptionalComesBackWhereverItIs() {
        Optionals optionals =
                new Optionals(Optional.of(BOOK), Optional.empty(), OptionalInt.of(5), OptionalLong.empty());
        assertThat(again(optionals)).isEqualTo(optionals);
        List<Object> all = List.of(Optional.of("a"), OptionalLong.of(1), OptionalDouble.of(0.5));
        assertThat(again(new ArrayList<>(all))).isEqualTo(all);
    }

    record Parent(List<Child> children) {}

    record SerializableParent(List<Child> children) implements Serializable {}

    @SuppressWarnings("serial") // of any class, on purpose
    static final class Child implements Serializable {
        private @Nullable Object parent;
    }

    /** Java itself would make the reference null. */
    @Test
    void aRecordToWhichAPartRefersIsRefused() {
        Child child = new Child();
        child.parent = new Parent(List.of(child));
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.encode(Objects.requireNonNull(child.parent)))
                .withMessageContaining("refers back to the record");
        Child other = new Child();
        other.parent = new SerializableParent(List.of(other));
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.encode(Objects.requireNonNull(other.parent)))
                .withMessageContaining("refers back to the record");
        Child third = new Child();
        third.parent = third;
        assertThat(((Child) again(third)).parent).isInstanceOf(Child.class);
    }
}
