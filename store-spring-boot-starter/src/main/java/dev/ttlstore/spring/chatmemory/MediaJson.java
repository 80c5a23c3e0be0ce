package dev.ttlstore.spring.chatmemory;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.Base64;

import org.springframework.ai.content.Media;
import org.springframework.util.MimeTypeUtils;

import dev.ttlstore.exception.CodecException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Media of a message as JSON. Their data are text, which may be a link, or bytes, or a URL. */
final class MediaJson {

    private static final String MIME_TYPE = "mimeType";
    private static final String ID = "id";
    private static final String NAME = "name";
    private static final String TEXT = "text";
    private static final String BYTES = "bytes";
    private static final String LINK = "url";

    private MediaJson() {}

    /**
     * Writes media.
     *
     * @throws CodecException if they are of a class whose state is not known here
     */
    static void write(Media media, ObjectNode json) {
        if (media.getClass() != Media.class) {
            throw new CodecException("A chat memory cannot store a "
                    + media.getClass().getName() + ", because its own state would be lost; use Media.builder()");
        }
        json.put(MIME_TYPE, media.getMimeType().toString());
        json.put(ID, media.getId());
        json.put(NAME, media.getName());
        if (media.getData() instanceof byte[] bytes) {
            json.put(BYTES, Base64.getEncoder().encodeToString(bytes));
        } else {
            json.put(
                    media.getData() instanceof URL ? LINK : TEXT,
                    media.getData().toString());
        }
    }

    /**
     * Reads media.
     *
     * @throws IllegalArgumentException if they cannot be read
     */
    static Media read(JsonNode json) {
        Media.Builder media = Media.builder()
                .mimeType(MimeTypeUtils.parseMimeType(json.path(MIME_TYPE).asString()))
                .name(json.path(NAME).asString());
        if (json.path(ID).isString()) {
            media.id(json.path(ID).asString());
        }
        if (json.has(BYTES)) {
            media.data(Base64.getDecoder().decode(json.path(BYTES).asString()));
        } else if (json.has(LINK)) {
            media.data(url(json.path(LINK).asString()));
        } else {
            media.data(json.path(TEXT).asString());
        }
        return media.build();
    }

    private static URL url(String text) {
        try {
            return URI.create(text).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("'url' must be a URL", e);
        }
    }
}
