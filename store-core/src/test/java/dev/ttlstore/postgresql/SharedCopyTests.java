package dev.ttlstore.postgresql;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.CopyResult;
import dev.ttlstore.Store;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.CopyTarget;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.exception.CopySourceChangedException;
import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.StoreInUseException;
import dev.ttlstore.exception.StoreSchemaException;
import dev.ttlstore.sqlite.Sqlite;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Copies of a store that others may use at the same time. */
@Tag("postgresql")
class SharedCopyTests {

    @TempDir
    Path folder;

    private final String schema = TestServer.freshSchema();
    private final String other = TestServer.freshSchema();

    private PostgreSql shared() {
        return PostgreSql.on(TestServer.pool()).schema(schema);
    }

    private Sqlite file() {
        return Sqlite.file(folder.resolve("store.db"));
    }

    private static Store open(PostgreSql engine) {
        return Store.builder().engine(engine).open();
    }

    private static void awaitOthers(PostgreSql engine) {
        try (PostgreSqlEngine looking = new PostgreSqlEngine(
                engine.settings(),
                new EngineSettings(false, Duration.ZERO, InstantSource.system()),
                TableCheck.Use.STORE)) {
            // An engine that is not started reads the other nodes only when somebody asks for the heads.
            Awaitility.await().until(() -> {
                var unused = looking.nodes().follower().heads();
                return looking.nodes().others() > 0;
            });
        }
    }

    @Test
    void aSourceThatAnInstanceUsesIsRefused() {
        try (Store store = open(shared())) {
            store.group("group").put("key", "value");
            awaitOthers(shared());
            assertThatThrownBy(() -> StoreCopy.from(shared()).to(file()).run())
                    .isInstanceOf(StoreInUseException.class)
                    .hasMessageContaining("The store in the schema \"" + schema + "\" of jdbc:postgresql:")
                    .hasMessageContaining("Stop all instances");
        }
        assertThat(StoreCopy.from(shared()).to(file()).run().entries()).isEqualTo(1);
    }

    @Test
    void aTargetThatAnInstanceUsesIsRefused() {
        try (Store store = Store.builder().engine(file()).open()) {
            store.group("group").put("key", "value");
        }
        try (Store using = open(shared())) {
            awaitOthers(shared());
            assertThatThrownBy(() -> StoreCopy.from(file()).to(shared()).run())
                    .isInstanceOf(StoreInUseException.class)
                    .hasMessageContaining(schema);
            assertThat(using.count()).isZero();
        }
        assertThat(StoreCopy.from(file()).to(shared()).run().entries()).isEqualTo(1);
    }

    @Test
    @Promise({8, 11})
    void aWriteToTheSourceMeanwhileIsNoticedAndTheNextRunHasIt() {
        try (Store store = open(shared())) {
            store.group("group").put("key", "value");
            store.group("group").put("deleted", "value");
        }
        boolean[] done = {false};
        assertThatThrownBy(() -> StoreCopy.from(shared())
                        .to(file())
                        .onProgress(progress -> {
                            if (!done[0]) {
                                done[0] = true;
                                try (Store writer = open(shared().notifications(false))) {
                                    writer.group("group").put("key", "changed");
                                    writer.group("group").delete("deleted");
                                }
                            }
                        })
                        .run())
                .isInstanceOf(CopySourceChangedException.class)
                .hasMessageContaining("was written to while it was copied")
                .hasMessageContaining("copy again into the same target");
        assertThat(StoreCopy.from(shared()).to(file()).run().entries()).isEqualTo(1);
        try (Store store = Store.builder().engine(file()).open()) {
            assertThat(store.group("group").get("key")).contains("changed");
        }
    }

    @Test
    @Promise(8)
    void ofTwoProcessesThatCopyIntoOneTargetTheLaterOneFinishes() {
        try (Store store = Store.builder().engine(file()).open()) {
            store.group("group").put("key", "value");
        }
        PostgreSql source = PostgreSql.on(TestServer.pool()).schema(other);
        CopyResult unused = StoreCopy.from(file()).to(source).run();
        boolean[] done = {false};
        assertThatThrownBy(() -> StoreCopy.from(source)
                        .to(shared())
                        .onProgress(progress -> {
                            if (!done[0]) {
                                done[0] = true;
                                assertThat(StoreCopy.from(source)
                                                .to(shared())
                                                .run()
                                                .entries())
                                        .isEqualTo(1);
                            }
                        })
                        .run())
                .isInstanceOf(StoreInUseException.class)
                .hasMessageContaining("another process has begun to copy into it");
        try (Store store = open(shared())) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Test
    void aTargetThatIsFilledBeforeTheFirstWriteIsRefused() {
        try (CopyTarget target =
                shared().openTarget(new EngineSettings(false, Duration.ZERO, InstantSource.system()))) {
            assertThat(target.counts().total()).isZero();
            try (Store store = open(shared())) {
                store.group("group").put("key", "value");
            }
            assertThatThrownBy(() -> target.begin("another place"))
                    .isInstanceOf(CopyTargetException.class)
                    .hasMessageContaining("was filled by somebody else just now");
        }
        try (Store store = open(shared())) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Test
    void aSchemaThatDoesNotExistIsNotCreatedToBeCopied() {
        assertThatThrownBy(() -> StoreCopy.from(shared()).to(file()).run())
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("There is no store in the schema \"" + schema + "\"")
                .hasMessageContaining("Check the name");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aSchemaCannotBeCopiedIntoItself() {
        open(shared()).close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreCopy.from(shared()).to(shared()).run())
                .withMessageContaining("'target' must not be the source");
    }

    @AfterEach
    void drop() {
        TestServer.drop(schema);
        TestServer.drop(other);
    }
}
