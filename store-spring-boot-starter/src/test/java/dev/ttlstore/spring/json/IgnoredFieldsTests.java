package dev.ttlstore.spring.json;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonProperty;

import static org.assertj.core.api.Assertions.assertThat;

/** State that a class leaves out of its JSON on purpose is lost without a refusal. */
class IgnoredFieldsTests {

    private final JsonValues values = JsonValues.ofStarter();

    /** A value of which only the name is to come back. */
    interface Named {
        String name();

        /** Returns what is left out; null, zero or false if it is not there. */
        @Nullable
        Object leftOut();
    }

    abstract static class Base implements Named {
        public String name = "Ann";

        @Override
        public String name() {
            return name;
        }
    }

    static final class ByField extends Base {
        @JsonIgnore
        private @Nullable String secret = null;

        static ByField with(String secret) {
            ByField created = new ByField();
            created.secret = secret;
            return created;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    static final class ByGetter extends Base {
        private @Nullable String secret;

        static ByGetter with(String secret) {
            ByGetter created = new ByGetter();
            created.secret = secret;
            return created;
        }

        @JsonIgnore
        public @Nullable String getSecret() {
            return secret;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    static final class BySetter extends Base {
        private @Nullable String secret;

        static BySetter with(String secret) {
            BySetter created = new BySetter();
            created.secret = secret;
            return created;
        }

        @JsonIgnore
        public void setSecret(String secret) {
            this.secret = secret;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    static final class ByQuestion extends Base {
        private boolean secret;

        static ByQuestion yes() {
            ByQuestion created = new ByQuestion();
            created.secret = true;
            return created;
        }

        @JsonIgnore
        public boolean isSecret() {
            return secret;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret ? Boolean.TRUE : null;
        }
    }

    static final class ReadOnly extends Base {
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        private @Nullable String secret;

        static ReadOnly with(String secret) {
            ReadOnly created = new ReadOnly();
            created.secret = secret;
            return created;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    static final class WriteOnly extends Base {
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        private @Nullable String secret;

        static WriteOnly with(String secret) {
            WriteOnly created = new WriteOnly();
            created.secret = secret;
            return created;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    @JsonIgnoreProperties("secret")
    static final class ByClass extends Base {
        private @Nullable String secret;

        static ByClass with(String secret) {
            ByClass created = new ByClass();
            created.secret = secret;
            return created;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    @JsonIncludeProperties("name")
    static final class ByInclusion extends Base {
        private @Nullable String secret;

        static ByInclusion with(String secret) {
            ByInclusion created = new ByInclusion();
            created.secret = secret;
            return created;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    @JsonIgnoreType
    record Secret(String text) {}

    static final class ByType extends Base {
        private @Nullable Secret secret;

        static ByType with(String secret) {
            ByType created = new ByType();
            created.secret = new Secret(secret);
            return created;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    static Stream<Named> valuesWithSecrets() {
        return Stream.of(
                ByField.with("secret"),
                ByGetter.with("secret"),
                BySetter.with("secret"),
                ByQuestion.yes(),
                ReadOnly.with("secret"),
                ByClass.with("secret"),
                ByInclusion.with("secret"),
                ByType.with("secret"),
                WriteOnly.with("secret"));
    }

    @ParameterizedTest
    @MethodSource("valuesWithSecrets")
    void whatAnnotationsLeaveOutIsLost(Named value) {
        assertThat(value.leftOut()).isNotNull();
        Named again = values.again(value);
        assertThat(again.name()).isEqualTo("Ann");
        assertThat(again.leftOut()).isNull();
    }

    /** Not by an annotation, but by a setting of the mapper. */
    static final class Plain extends Base {
        private @Nullable String secret;

        static Plain with(String secret) {
            Plain created = new Plain();
            created.secret = secret;
            return created;
        }

        @Override
        public @Nullable Object leftOut() {
            return secret;
        }
    }

    @Test
    void whatTheMapperLeavesOutIsLost() {
        JsonValues ignoring = new JsonValues(JacksonCodecFactory.defaults()
                .withConfigOverride(
                        Plain.class,
                        plain -> plain.setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties("secret")))
                .build());
        assertThat(ignoring.again(Plain.with("secret")).leftOut()).isNull();
    }

    static final class Parent {
        @JsonManagedReference
        public List<Child> children = List.of();
    }

    static final class Child {
        @JsonBackReference
        public @Nullable Parent parent;

        public String name = "";
    }

    /** Jackson sets it, so nothing is lost. */
    @Test
    void aReferenceToTheParentComesBack() {
        Parent parent = new Parent();
        Child child = new Child();
        child.name = "Ben";
        child.parent = parent;
        parent.children = List.of(child);
        Parent again = values.again(parent);
        assertThat(again.children.get(0).name).isEqualTo("Ben");
        assertThat(again.children.get(0).parent).isSameAs(again);
    }
}
