package dev.ttlstore.spring.autoconfigure;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What stands for a group of a mocked store until a test stubs it. */
class DeferredStubTests {

    private final AtomicReference<@Nullable TextGroup> answer = new AtomicReference<>();
    private final TextGroup group = DeferredStub.now(TextGroup.class, answer::get, "group(\"invites\")");

    @Test
    void itIsAnObjectLikeAnyOther() {
        Set<Object> beans = new HashSet<>(Set.of(group));
        assertThat(beans).contains(group);
        assertThat(group).isNotEqualTo("another").hasToString("group(\"invites\") of a mock");
    }

    @Test
    void itSaysWhatToStub() {
        assertThatIllegalStateException()
                .isThrownBy(() -> group.get("key"))
                .withMessageContaining("answers group(\"invites\") with null")
                .withMessageContaining("Stub that call");
    }

    @Test
    void itIsTheGroupThatIsStubbed() {
        try (Store store = Store.builder().inMemory().open()) {
            TextGroup stub = store.group("invites");
            answer.set(stub);
            group.put("key", "value");
            assertThat(stub.get("key")).contains("value");
            assertThatIllegalArgumentException().isThrownBy(() -> group.put("", "value"));
            assertThat(DeferredStub.now(TextGroup.class, answer::get, "")).isSameAs(stub);
        }
    }
}
