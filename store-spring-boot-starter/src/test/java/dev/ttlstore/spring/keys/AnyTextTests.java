package dev.ttlstore.spring.keys;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.ttlstore.exception.CodecException;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AnyTextTests {

    private final AnyText codec = new AnyText();

    @Test
    void everyTextComesBack() {
        List<String> texts = List.of("", "a", "ä", "🙂", "a\0b", "\ud800", "\udc00", "a\ud800", "a?", "\udc00\ud800");
        Set<String> encoded = new HashSet<>();
        assertThat(texts).allSatisfy(text -> {
            byte[] bytes = codec.encode(text);
            assertThat(codec.decode(bytes)).isEqualTo(text);
            encoded.add(new String(bytes, ISO_8859_1));
        });
        assertThat(encoded).hasSameSizeAs(texts);
        assertThat(codec.encode("grün 🙂")).isEqualTo("grün 🙂".getBytes(UTF_8));
    }

    @Test
    void whatIsNoTextIsRefused() {
        assertThatThrownBy(() -> codec.decode(new byte[] {(byte) 0xFF, 0})).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> codec.decode(new byte[] {(byte) 0xFF})).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> codec.decode(new byte[] {(byte) 0xFF, 0, 'a'})).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> codec.decode(new byte[] {(byte) 0xC3})).isInstanceOf(CodecException.class);
    }
}
