package dev.ttlstore.internal.value;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.Store;
import dev.ttlstore.contract.LogRecorder;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A group that is used with two types is reported once. */
class CodecsTests {

    /** Has a codec for every class, which is not used here. */
    private static final CodecFactory ANY = new CodecFactory() {
        @Override
        @SuppressWarnings("unchecked")
        public <V> @Nullable Codec<V> codec(Class<V> type) {
            return (Codec<V>) Codec.text();
        }
    };

    record Invite(String mail) {}

    record OtherInvite(String address) {}

    @Test
    void aSecondTypeIsReportedOnce() {
        try (Store store = Store.builder().inMemory().codecs(ANY).open();
                LogRecorder log = new LogRecorder(Codecs.class.getName(), Level.WARN)) {
            for (int i = 0; i < 2; i++) {
                store.group("invites", Invite.class);
                store.scope("acme").group("invites", OtherInvite.class);
                store.group("invites");
                store.group("invites", Long.class);
            }
            assertThat(log.messages()).isEmpty();
            for (int i = 0; i < 2; i++) {
                store.group("invites", OtherInvite.class);
                Object unused = store.transact(tx -> tx.group("invites", Invite.class));
            }
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("'invites'", Invite.class.getName(), OtherInvite.class.getName());
        }
    }
}
