package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** What the save mode and the flush mode of Spring Session write, and when. */
abstract class SessionModesContract extends SessionArea {

    @Test
    void eachSaveModeWritesWhatItSays() {
        for (SaveMode mode : SaveMode.values()) {
            StoreSessionRepository repository = repository(mode, FlushMode.ON_SAVE);
            StoreSession session = repository.createSession();
            session.setAttribute("read", new ArrayList<>(List.of("1")));
            session.setAttribute("unread", new ArrayList<>(List.of("1")));
            List<String> unread = requireNonNull(session.getAttribute("unread"));
            repository.save(session);
            StoreSession later = found(repository, session.getId());
            this.<List<String>>attribute(later, "read").add("2");
            repository.save(later);
            assertThat(this.<List<String>>attribute(found(repository, session.getId()), "read"))
                    .hasSize(mode == SaveMode.ON_SET_ATTRIBUTE ? 1 : 2);
            // nobody has read it in this request, in which it was saved before
            unread.add("2");
            session.setLastAccessedTime(Instant.now());
            repository.save(session);
            assertThat(this.<List<String>>attribute(found(repository, session.getId()), "unread"))
                    .hasSize(mode == SaveMode.ALWAYS ? 2 : 1);
        }
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T> T attribute(StoreSession session, String name) {
        return requireNonNull(session.<T>getAttribute(name));
    }

    /** Only what has changed is written, so that reading does not undo the change of another request. */
    @ParameterizedTest
    @EnumSource(SaveMode.class)
    void whatWasOnlyReadIsNotWritten(SaveMode mode) {
        StoreSessionRepository repository = repository(mode, FlushMode.ON_SAVE);
        String id = saved(repository, "a", "1").getId();
        StoreSession reader = found(repository, id);
        assertThat(reader.<String>getAttribute("a")).isEqualTo("1");
        StoreSession writer = found(repository, id);
        writer.setAttribute("a", "2");
        repository.save(writer);
        reader.setLastAccessedTime(Instant.now());
        repository.save(reader);
        assertThat(found(repository, id).<String>getAttribute("a")).isEqualTo("2");
    }

    @Test
    void changesAreWrittenAtOnceIfTheFlushModeSaysSo() {
        StoreSessionRepository repository = repository(SaveMode.ON_SET_ATTRIBUTE, FlushMode.IMMEDIATE);
        StoreSession session = repository.createSession();
        assertThat(repository.findById(session.getId())).isNotNull();
        session.setAttribute("a", "b");
        assertThat(found(repository, session.getId()).<String>getAttribute("a")).isEqualTo("b");
        session.setMaxInactiveInterval(Duration.ofHours(1));
        assertThat(found(repository, session.getId()).getMaxInactiveInterval()).isEqualTo(Duration.ofHours(1));
        String before = session.getId();
        session.changeSessionId();
        assertThat(repository.findById(before)).isNull();
        assertThat(repository.findById(session.getId())).isNotNull();
        assertThat(events).hasSize(1);
    }
}
