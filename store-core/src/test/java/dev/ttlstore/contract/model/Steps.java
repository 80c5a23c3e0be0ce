package dev.ttlstore.contract.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws the steps of a run. Few names and short times, so that the steps meet. */
final class Steps {

    /** In an order that is neither that of UTF-16 nor of any language; some would be wildcards elsewhere. */
    static final List<String> GROUPS = List.of("group", "GROUP", "a:b", "\uFF5E", "\uD83D\uDD11");

    private static final List<String> KEYS =
            List.of("a", "b", "B", "a\u0001", "aa", "%", "_", "\u00E9", "\uFF5E", "\uD83D\uDE00", "x".repeat(40));

    private static final List<String> VALUES = List.of("", "1", "2", "3", "vält\u0000 \uD83D\uDE00");

    private final Random random;
    private final List<ModelOperation> urn = new ArrayList<>();

    private Steps(Random random, List<ModelOperation> operations) {
        this.random = random;
        for (ModelOperation operation : operations) {
            for (int i = 0; i < operation.weight(); i++) {
                urn.add(operation);
            }
        }
    }

    static List<Step> draw(long seed, int count, List<ModelOperation> operations) {
        Steps steps = new Steps(new Random(seed), operations);
        List<Step> drawn = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drawn.add(steps.next());
        }
        return drawn;
    }

    private Step next() {
        String key = random.nextInt(12) == 0 ? "" : oneOf(KEYS);
        return new Step(
                oneOf(urn), oneOf(GROUPS), key, oneOf(VALUES), oneOf(VALUES), ttl(), untilExpiry(), millis(0, 40));
    }

    private Duration ttl() {
        return switch (random.nextInt(40)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofNanos(-1);
            case 2 -> Duration.ofSeconds(Long.MAX_VALUE);
            case 3 -> Duration.ofDays(36_500_000);
            case 4, 5, 6 -> Duration.ofNanos(1 + random.nextInt(2_000_000));
            default -> millis(1, 120);
        };
    }

    private Duration untilExpiry() {
        Duration duration = millis(-2, 120);
        return random.nextInt(10) == 0 ? duration.plusNanos(random.nextInt(1_000_000)) : duration;
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(from + random.nextInt(to - from + 1));
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
