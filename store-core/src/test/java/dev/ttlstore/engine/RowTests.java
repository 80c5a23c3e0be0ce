package dev.ttlstore.engine;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RowTests {

    private static final String MARKER = "s3cr3t";
    private static final Row ROW = row(MARKER, 1_000);

    @Test
    @Promise(1)
    void aRowIsLiveBeforeTheMillisecondOfItsExpiry() {
        assertThat(ROW.isLiveAt(999)).isTrue();
        assertThat(ROW.isLiveAt(1_000)).isFalse();
        assertThat(ROW.isLiveAt(1_001)).isFalse();
        assertThat(ROW.withExpiry(Row.NEVER).isLiveAt(Long.MAX_VALUE - 1)).isTrue();
    }

    @Test
    void anotherExpiryLeavesTheRestAsItIs() {
        assertThat(ROW.withExpiry(2_000)).isEqualTo(new Row(ROW.key(), ROW.value(), 7, 10, 20, 2_000));
    }

    @Test
    @Promise(13)
    void nothingOfARowThatIsPrintedIsASecret() {
        assertThat(ROW.toString()).contains("group", "7").doesNotContain(MARKER);
        assertThat(ROW.key().toString()).contains("group").doesNotContain(MARKER);
        assertThat(new RowChange(null, ROW).toString()).doesNotContain(MARKER);
        assertThat(new ExpiryRow(ROW.key(), 7, 1_000, 12).toString()).doesNotContain(MARKER);
    }

    @Test
    void aChangeIsAboutOneRow() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RowChange(null, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RowChange(ROW, row("another", 1_000)))
                .withMessageContaining("rename");
    }

    private static Row row(String key, long expiresAt) {
        return new Row(new RowKey("group", key), MARKER.getBytes(UTF_8), 7, 10, 20, expiresAt);
    }
}
