package dev.ttlstore.exception;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

class StoreExceptionTests {

    private static final Path FILE = Path.of("data", "store.db");

    @Test
    void theMessageIsTheProblemAndTheRemedy() {
        StoreException failure = new StorePathException(FILE, "It may not be written", "Ask its owner", null);
        assertThat(failure).hasMessage("It may not be written. Ask its owner").hasNoCause();
        assertThat(failure.problem()).isEqualTo("It may not be written");
        assertThat(failure.remedy()).isEqualTo("Ask its owner");
    }

    @Test
    void aMessageOfOnePieceIsTheProblemAlone() {
        StoreException failure = new StoreClosedException();
        assertThat(failure.problem()).isEqualTo(failure.getMessage());
        assertThat(failure.remedy()).isNull();
    }

    @Test
    void aClassWithoutACodecIsNamed() {
        MissingCodecException failure = new MissingCodecException(Path.class);
        assertThat(failure.type()).isEqualTo(Path.class);
        assertThat(failure).hasMessageContaining("java.nio.file.Path").hasMessageContaining("codecs(…)");
    }

    @Test
    void whoHoldsAFileIsToldWithWhetherItIsThisProcess() {
        StoreLockedException failure = new StoreLockedException(FILE, "process 4711", false);
        assertThat(failure.holder()).isEqualTo("process 4711");
        assertThat(failure.isSameProcess()).isFalse();
        assertThat(failure.path()).isEqualTo(FILE);
    }
}
