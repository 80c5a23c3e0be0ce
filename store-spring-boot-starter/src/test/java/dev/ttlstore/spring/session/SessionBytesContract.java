package dev.ttlstore.spring.session;

import java.sql.SQLException;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Attributes as bytes: what cannot be written or read, and what texts do not show. */
abstract class SessionBytesContract extends SessionArea {

    @Test
    void whatCannotBeReadLaterIsRefused() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("state", new Random());
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> repository.save(session))
                .withMessageContaining("'state'")
                .withMessageContaining("java.util.Random")
                .withMessageContaining("'some.property'");
        assertThat(repository.findById(session.getId())).isNull();
        session.setAttribute("page", "error"); // of the same request
        repository.save(session);
        StoreSession found = requireNonNull(repository.findById(session.getId()));
        assertThat(found.getAttributeNames()).containsExactly("page");
        found.setAttribute("page", new Random());
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> repository.save(found));
        repository.save(found);
        assertThat(requireNonNull(repository.findById(session.getId())).<String>getAttribute("page"))
                .isEqualTo("error");
    }

    @Test
    void anExceptionThatCannotBeStoredIsLeftOut() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("page", "login");
        session.setAttribute(
                "failure", new IllegalStateException("no", new SQLException("no database", new Throwable() {})));
        repository.save(session);
        StoreSession found = requireNonNull(repository.findById(session.getId()));
        assertThat(found.getAttributeNames()).containsExactly("page");
        found.setAttribute("failure", new IllegalStateException("no", new Throwable() {}));
        found.setAttribute("page", "other");
        repository.save(found);
        assertThat(requireNonNull(repository.findById(session.getId())).<String>getAttribute("page"))
                .isEqualTo("other");
    }

    @Test
    void whatCannotBeReadIsAbsent() {
        StoreSessionRepository repository = repository();
        byte[] foreign = {1, 2, 3};
        store().group(StoreSessionRepository.GROUP, Codec.bytes()).put(SessionKeys.of("id"), foreign);
        assertThat(repository.findById("id")).isNull();
        StoreSession changed = saved(repository, PRINCIPAL, "ann");
        store().group(StoreSessionRepository.GROUP, Codec.bytes()).put(SessionKeys.of(changed.getId()), new byte[0]);
        changed.setAttribute("a", "b");
        repository.save(changed);
        assertThat(repository.findById(changed.getId())).isNull();
        repository.deleteById("id");
        assertThat(store().group(StoreSessionRepository.GROUP).contains(SessionKeys.of("id")))
                .isFalse();
        assertThat(events).hasSize(1);
    }

    @Test
    void textsHaveNoSecrets() {
        StoreSession session = saved(repository(), "a", "secret");
        assertThat(session.toString()).doesNotContain("secret", session.getId());
        assertThat(requireNonNull(session.snapshot().saved()).toString()).doesNotContain("secret", session.getId());
    }
}
