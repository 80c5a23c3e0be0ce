package dev.ttlstore.sample;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.springframework.stereotype.Service;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.Store;

import jakarta.servlet.http.HttpServletRequest;

/**
 * How often a client may ask for a secret, found or not: a counter that goes with its minute. Who asks is kept as a hash with a
 * key that lives as long as the application runs, so that the store holds no addresses.
 */
@Service
class RevealLimit {

    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int IPV6_NETWORK = 8;

    private final Counters attempts;
    private final int limit;
    private final Now now;
    private final SecretKeySpec key;

    RevealLimit(Store store, SecretsProperties properties, Now now) {
        this.attempts = store.counters("reveal-attempts");
        this.limit = properties.revealLimit();
        this.now = now;
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, "HmacSHA256");
    }

    /**
     * Counts an attempt.
     *
     * @throws TooManyAttemptsException if there were too many in this minute
     */
    void attempt(HttpServletRequest request) {
        String client = client(request.getRemoteAddr());
        // Read first, so that who keeps on asking in vain costs no more writes.
        boolean over = attempts.get(client).orElse(0L) >= limit;
        if (over || attempts.increment(client, 1, WINDOW) > limit) {
            Instant end = attempts.entry(client).map(Entry::expiresAt).orElseGet(now::get);
            throw new TooManyAttemptsException(limit, Duration.between(now.get(), end));
        }
    }

    private String client(String address) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(network(address)), 0, 16);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    /** One client has a whole network of IPv6 addresses to ask from. */
    private static byte[] network(String address) {
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length == 4 ? bytes : Arrays.copyOf(bytes, IPV6_NETWORK);
        } catch (UnknownHostException e) {
            return address.getBytes(StandardCharsets.UTF_8);
        }
    }
}
