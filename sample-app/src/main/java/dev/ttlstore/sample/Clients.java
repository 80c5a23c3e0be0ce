package dev.ttlstore.sample;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.springframework.stereotype.Component;

/**
 * Recognizes clients by their addresses. An address is hashed with a key that lives as long as the application, so
 * addresses are never stored.
 */
@Component
class Clients {

    private static final int IPV6_NETWORK = 8;

    private final SecretKeySpec key;

    Clients() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, "HmacSHA256");
    }

    /** Returns a stand-in for the client at an address. */
    String at(String address) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(network(address)), 0, 16);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
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
