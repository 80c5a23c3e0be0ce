package dev.ttlstore.sample.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.springframework.stereotype.Component;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Recognizes clients by their addresses. An address is hashed with a key, so addresses are never stored. All nodes find
 * the key in the store, where it is encrypted, and each day there is a new one.
 */
@Component
public class Clients {

    static final String GROUP = "client-keys";

    private static final int IPV6_NETWORK = 8;
    private static final String ALGORITHM = "HmacSHA256";
    private static final Duration KEPT = Duration.ofDays(1);

    private final SecureRandom random = new SecureRandom();
    private final TextGroup keys;

    Clients(Store store) {
        this.keys = store.group(GROUP);
    }

    /** Returns a stand-in for the client at an address. */
    public String at(String address) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(
                    HexFormat.of().parseHex(keys.getOrPut("addresses", KEPT, this::makeKey)), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(network(address)), 0, 16);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    /** Names the network of an address, for what is forgotten with the request. */
    static String network(HttpServletRequest request) {
        return HexFormat.of().formatHex(network(request.getRemoteAddr()));
    }

    private String makeKey() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns the network of an address. One client may use a whole network of IPv6 addresses. */
    private static byte[] network(String address) {
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length == 4 ? bytes : Arrays.copyOf(bytes, IPV6_NETWORK);
        } catch (UnknownHostException e) {
            return address.getBytes(StandardCharsets.UTF_8);
        }
    }
}
