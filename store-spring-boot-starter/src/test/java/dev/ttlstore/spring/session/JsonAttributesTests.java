package dev.ttlstore.spring.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.AllowedClasses;

import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonPOJOBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Attributes as JSON that names classes, of which not all are values. */
class JsonAttributesTests {

    private static final String PACKAGE = "dev.ttlstore.spring.session.*";

    private static JsonAttributes json(String... allowed) {
        return new JsonAttributes(
                AllowedClasses.of(List.of(allowed)), "some.property", JsonAttributesTests.class.getClassLoader());
    }

    /** A bean of the application, as a job that runs what it is given. */
    static class ReportJob {

        private static int ran;
        private String command = "";

        public void setCommand(String command) {
            this.command = command;
            ran++;
        }

        public String getCommand() {
            return command;
        }
    }

    record Holder(ReportJob job) {}

    static class Jobs extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
    }

    static class JobsByName extends HashMap<String, Object> {
        private static final long serialVersionUID = 1;
    }

    static class Starter {

        private static int started;

        Starter() {
            started++;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"@class\":\"%s$ReportJob\",\"command\":\"rm\"}",
                "[\"java.util.ArrayList\",[{\"@class\":\"%s$ReportJob\",\"command\":\"rm\"}]]",
                "{\"@class\":\"%s$Holder\",\"job\":{\"@class\":\"%1$s$ReportJob\",\"command\":\"rm\"}}",
                "[\"%s$Jobs\",[{\"@class\":\"%1$s$ReportJob\",\"command\":\"rm\"}]]",
                "{\"@class\":\"%s$JobsByName\",\"a\":\"b\"}",
                "{\"@class\":\"%s$Starter\"}"
            })
    void aPackageHasMoreThanValues(String text) {
        byte[] bytes = text.formatted(JsonAttributesTests.class.getName()).getBytes(StandardCharsets.UTF_8);
        JsonAttributes json = json(PACKAGE);
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> json.decode(bytes));
        assertThat(ReportJob.ran).isZero();
        assertThat(Starter.started).isZero();
    }

    record Page(String name, @Nullable String visitor, int visits) {}

    @Test
    void aClassMayGainAndLoseComponents() {
        byte[] stored = ("{\"@class\":\"" + Page.class.getName() + "\",\"name\":\"home\",\"colour\":\"red\"}")
                .getBytes(StandardCharsets.UTF_8);
        assertThat(json(PACKAGE).decode(stored)).isEqualTo(new Page("home", null, 0));
    }

    /** A value of the application with a constructor for all its state. */
    static final class Point {

        private final int x;
        private final int y;

        @JsonCreator
        Point(@JsonProperty("x") int x, @JsonProperty("y") int y) {
            this.x = x;
            this.y = y;
        }

        public int getX() {
            return x;
        }

        public int getY() {
            return y;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Point that && x == that.x && y == that.y;
        }

        @Override
        public int hashCode() {
            return 31 * x + y;
        }
    }

    @JsonDeserialize(builder = Built.Builder.class)
    record Built(String name) {

        @JsonPOJOBuilder(withPrefix = "")
        static final class Builder {

            private String name = "";

            Builder name(String value) {
                name = value;
                return this;
            }

            Built build() {
                return new Built(name);
            }
        }
    }

    enum Colour {
        RED
    }

    record Order(String number, List<Point> points, Map<String, Object> more) {}

    @Test
    void whatTakesItsStateInAConstructorIsAValue() {
        JsonAttributes json = json(PACKAGE);
        Order order = new Order(
                "1",
                new ArrayList<>(List.of(new Point(1, 2))),
                new TreeMap<>(Map.of("colour", Colour.RED, "built", new Built("a"), "point", new Point(3, 4))));
        assertThat(json.decode(json.encode(order))).isEqualTo(order);
    }

    @Test
    void aBeanIsRefusedWhenItIsWrittenUnlessItIsNamed() {
        ReportJob job = new ReportJob();
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> json(PACKAGE).encode(new Holder(job)))
                .withMessageContaining(
                        "because " + ReportJob.class.getName() + " has no constructor that takes all its state")
                .withMessageContaining("name the class in 'some.property'");
        JsonAttributes named = json(PACKAGE, ReportJob.class.getName());
        assertThat(named.decode(named.encode(job))).isInstanceOf(ReportJob.class);
        ReportJob.ran = 0;
    }

    record Other(Object value) {}

    @Test
    void allRefusedClassesAreNamedAtOnce() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> json().encode(new ArrayList<>(
                        List.of(new Other("a"), new Order("1", List.of(), Map.of("a", new Other(Map.of())))))))
                .withMessageContaining("not allowed: " + Other.class.getName() + ", " + Order.class.getName())
                .withMessageContaining("'some.property'");
    }

    record ByPoint(Map<Point, String> names) {}

    @SuppressWarnings("UnusedVariable") // as it may be in an application
    static final class Unseen {
        private String state = "hunter2";
    }

    record OfUnseen(Unseen part) {}

    @Test
    void messagesSayWhatIsWrongAndWhere() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> json(PACKAGE).encode(new ByPoint(Map.of(new Point(1, 2), "a"))))
                .withMessageContaining("cannot make " + Point.class.getName())
                .withMessageContaining("keys of maps must be texts")
                .withMessageNotContaining("make it a record");
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> json(PACKAGE).encode(new OfUnseen(new Unseen())))
                .withMessageContaining(
                        "cannot be written as JSON (at 'part': No serializer found for class " + Unseen.class.getName())
                .withMessageNotContaining("hunter2");
    }
}
