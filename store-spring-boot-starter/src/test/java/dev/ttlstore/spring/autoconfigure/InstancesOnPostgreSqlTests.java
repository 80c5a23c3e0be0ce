package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.spring.PostgreSqlApplication;
import dev.ttlstore.spring.encryption.StoreKeyset;
import dev.ttlstore.spring.encryption.StoreKeysetException;
import dev.ttlstore.spring.expiry.OnExpiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Several instances of an application that share a store. */
@Tag("postgresql")
class InstancesOnPostgreSqlTests extends PostgreSqlApplication {

    @Test
    void instancesShareTheirEntriesOnBootsDataSource() {
        runner().run(one -> runner().run(other -> {
            assertThat(one).hasNotFailed().hasSingleBean(Store.class).hasSingleBean(DataSource.class);
            store(one).group("config").put("theme", "dark");
            assertThat(store(other).group("config").get("theme")).contains("dark");
            assertThat(store(other).group("config").take("theme")).contains("dark");
            assertThat(store(one).group("config").take("theme")).isEmpty();
        }));
    }

    @Test
    void anExpiryIsHandledByOneInstance() {
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        ApplicationContextRunner instance = runner().withBean(Reminders.class, () -> new Reminders(handled))
                .withPropertyValues("store.groups.invites.ttl=1d");
        instance.run(one -> instance.run(other -> {
            for (int i = 0; i < 20; i++) {
                store(one).group("invites").put("key" + i, "value" + i, Duration.ofMillis(1));
            }
            await().until(() -> handled.size() >= 20);
            assertThat(handled).doesNotHaveDuplicates().hasSize(20);
            assertThat(other.getBean("ttlStore", Store.class).group("invites").count())
                    .isZero();
        }));
    }

    /** As during a rolling update: the newer one has a property more, and handles what the older one knows nothing of. */
    @Test
    void twoVersionsOfAnApplicationRunSideBySide() {
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        ApplicationContextRunner newer = runner().withBean(Reminders.class, () -> new Reminders(handled));
        runner().run(old -> newer.run(young -> {
            Group<Invite> before = store(old).group("invites", Invite.class);
            Group<InviteWithNote> since = store(young).group("invites", InviteWithNote.class);
            before.put("ann", new Invite("ann@example.org"));
            assertThat(since.get("ann")).contains(new InviteWithNote("ann@example.org", null));
            since.put("bob", new InviteWithNote("bob@example.org", "welcome"));
            assertThat(before.get("bob")).contains(new Invite("bob@example.org"));
            store(old).group("invites").put("old", "of the older", Duration.ofMillis(1));
            store(young).group("invites").put("young", "of the newer", Duration.ofMillis(1));
            store(old).purgeExpired();
            await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("of the older", "of the newer"));
        }));
    }

    record Invite(String email) {}

    record InviteWithNote(String email, @Nullable String note) {}

    @Test
    void noKeysetIsCreatedBecauseOtherInstancesNeedTheSameOne(@TempDir Path folder) {
        Path keyset = folder.resolve("keyset.json");
        ApplicationContextRunner encrypted = runner().withPropertyValues(
                        "store.encryption.groups=secrets",
                        "store.encryption.keyset=" + keyset,
                        "store.encryption.create-keyset=true");
        encrypted.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreKeysetException.class)
                .hasMessageContaining("all instances need the same one"));
        assertThat(StoreKeyset.create(keyset)).isTrue();
        encrypted.run(one -> encrypted.run(other -> {
            store(one).group("secrets").put("key", "value");
            assertThat(store(other).group("secrets").get("key")).contains("value");
        }));
        runner().run(context -> assertThat(
                        store(context).group("secrets", byte[].class).get("key"))
                .hasValueSatisfying(stored -> assertThat(stored).hasSizeGreaterThan("value".length())));
    }

    static final class Reminders {

        private final Queue<String> handled;

        Reminders(Queue<String> handled) {
            this.handled = handled;
        }

        @OnExpiry(subscriber = "reminder", group = "invites")
        void remind(String value) {
            handled.add(value);
        }
    }
}
