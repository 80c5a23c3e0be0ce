package dev.ttlstore.sample.secrets;

import java.util.Objects;

import org.springframework.stereotype.Component;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.exception.CodecException;

/**
 * Stores secrets as JSON. Earlier versions of the sample stored the text alone, with one view and no passphrase; their
 * secrets are read, too.
 */
@Component
class SecretCodec implements Codec<Secret> {

    private final Codec<Secret> json;

    SecretCodec(CodecFactory factory) {
        this.json = Objects.requireNonNull(factory.codec(Secret.class));
    }

    @Override
    public byte[] encode(Secret secret) {
        return json.encode(secret);
    }

    @Override
    public Secret decode(byte[] bytes) {
        try {
            Secret secret = json.decode(bytes.clone());
            if (isComplete(secret)) {
                return secret;
            }
        } catch (CodecException e) {
            // It is no JSON, so it is a text, as is JSON of another kind.
        }
        return new Secret(Codec.text().decode(bytes), 1, null, false);
    }

    /** The store's JSON leaves out what is missing. */
    @SuppressWarnings("ConstantConditions")
    private static boolean isComplete(Secret secret) {
        return secret.value() != null && secret.views() > 0;
    }
}
