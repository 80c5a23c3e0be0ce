package dev.ttlstore.sample.secrets;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.stereotype.Service;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.ttlstore.Keyspace;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.sample.team.Activity.Views;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.SecretsProperties;
import dev.ttlstore.spring.expiry.OnExpiry;

import tools.jackson.databind.json.JsonMapper;

/**
 * Notifies another application that a secret was read, has expired, or was deleted because of wrong passphrases. Each
 * notice is an entry that expires at once, written in the transaction of the change: so there is a notice exactly if the
 * change was committed. The store then delivers it at least once, retries what fails, and keeps it as a dead letter in
 * the end.
 */
@Service
@RegisterReflectionForBinding(Webhook.Notice.class) // for native images: it is stored and sent as JSON
class Webhook {

    static final String GROUP = "webhook-notices";

    private static final Logger log = LoggerFactory.getLogger(Webhook.class);
    private static final String ALGORITHM = "HmacSHA256";
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final Now now;
    private final JsonMapper json;
    private final WebhookClient client;
    private final String signingKey;

    Webhook(Now now, JsonMapper json, WebhookClient client, SecretsProperties properties) {
        this.now = now;
        this.json = json;
        this.client = client;
        this.signingKey = properties.webhook().signingKey();
    }

    /**
     * A notice as it is sent: neither the value nor the key of the secret.
     *
     * @param views of a secret that has expired, but not unread
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Notice(
            String event, String team, Instant at, @Nullable Views views) {}

    /** Adds a notice in the transaction that uses up a secret. */
    void noteRead(Keyspace transaction, String team) {
        note(transaction, new Notice("secret.read", team, now.get(), null));
    }

    /** Adds a notice of an expiry. */
    void noteExpired(Keyspace transaction, String team, Instant at, @Nullable Views views) {
        note(transaction, new Notice("secret.expired", team, at, views));
    }

    /** Adds a notice in the transaction that deletes a secret because of wrong passphrases. */
    void noteGuessed(Keyspace transaction, String team) {
        note(transaction, new Notice("secret.guessed", team, now.get(), null));
    }

    private void note(Keyspace keyspace, Notice notice) {
        if (client.isOn()) {
            keyspace.group(GROUP, Notice.class).add(notice, AT_ONCE);
        }
    }

    /** Sends a notice. If this throws, the store tries again later. */
    @OnExpiry(subscriber = "webhook", group = GROUP)
    void send(ExpiredEntry<Notice> entry) {
        if (!client.isOn()) {
            log.info("A notice was dropped, because secrets.webhook.url is no longer set");
            return;
        }
        byte[] body = json.writeValueAsBytes(entry.value());
        client.post(entry.key(), body, signingKey.isEmpty() ? "" : "sha256=" + signature(body));
    }

    private String signature(byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(signingKey.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }
}
