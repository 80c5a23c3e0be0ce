package dev.ttlstore.benchmark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Group and key as one key, for peers that know no groups. */
final class Joined {

    private Joined() {}

    static String text(String group, String key) {
        return group + '\0' + key;
    }

    static byte[] bytes(String group, String key) {
        return text(group, key).getBytes(UTF_8);
    }
}
