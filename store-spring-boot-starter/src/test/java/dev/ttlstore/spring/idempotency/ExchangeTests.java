package dev.ttlstore.spring.idempotency;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.idempotency.Exchange.Ending;
import dev.ttlstore.spring.idempotency.Exchange.RecordedResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** How exchanges are stored. */
class ExchangeTests {

    private static final Exchange EXCHANGE = new Exchange(
            "head",
            new Body(Body.Form.BYTES, "hash", 7, true),
            new RecordedResponse(
                    201, Ending.BODY, null, List.of("X-Order", "1"), "ordered".getBytes(StandardCharsets.UTF_8)));

    @Test
    void whatIsStoredComesBack() {
        Exchange read = Exchange.CODEC.decode(Exchange.CODEC.encode(EXCHANGE));
        assertThat(read).usingRecursiveComparison().isEqualTo(EXCHANGE);
    }

    /** As by another version of the store, or by a failing disk. */
    @Test
    void anExchangeThatIsCutOffIsRefused() {
        byte[] whole = Exchange.CODEC.encode(EXCHANGE);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(CodecException.class)
                    .as("%d bytes", length)
                    .isThrownBy(() -> Exchange.CODEC.decode(part))
                    .withMessageContaining("is cut off");
        }
        byte[] other = whole.clone();
        other[0] = 1;
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> Exchange.CODEC.decode(other))
                .withMessageContaining("by another version");
    }
}
