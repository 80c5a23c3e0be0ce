package dev.ttlstore.spring.messagestore;

import java.util.HexFormat;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of a head are those of earlier releases. */
class GroupHeadCodecTests {

    private final GroupHeadCodec codec = new GroupHeadCodec(StoreMessageStoreContract.CODEC);

    @Test
    void aHeadHasTheBytesThatEarlierReleasesRead() {
        GroupHead head = new GroupHead("g", "t", 1, 2, new MessageRange(3, 5, 2, 7), true, 9, "c");
        byte[] bytes = codec.encode(head);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("0100017400000000000000010000000000000002000000000000000300000000"
                        + "0000000500000000000000020000000701000000090000000163010000000167");
        assertThat(codec.decode(bytes)).isEqualTo(head);
    }

    @Test
    void aNewHeadHasNoCondition() {
        GroupHead head = new GroupHead("g", "t", 1, 1, MessageRange.EMPTY, false, 0, null);
        byte[] bytes = codec.encode(head);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("0100017400000000000000010000000000000001000000000000000000000000"
                        + "000000000000000000000000000000000000000000ffffffff010000000167");
        assertThat(codec.decode(bytes)).isEqualTo(head);
    }
}
