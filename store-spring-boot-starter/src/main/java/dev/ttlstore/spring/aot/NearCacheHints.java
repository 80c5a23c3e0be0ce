package dev.ttlstore.spring.aot;

import java.util.List;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.TypeReference;

/**
 * The reflection hints for Caffeine, which the near cache uses. Caffeine ships no hints. It has a class for each
 * combination of settings and composes the class name from letters. The near cache has strong keys, strong values and
 * a maximum weight.
 */
final class NearCacheHints {

    static final String CACHE = caffeine("SSMW");
    static final String NODE = caffeine("PSMW");

    private NearCacheHints() {}

    static void addTo(ReflectionHints hints) {
        hints.registerType(
                TypeReference.of(CACHE),
                type -> type.withField("FACTORY").withField("maximum").withField("weightedSize"));
        hints.registerType(TypeReference.of(NODE), type -> type.withConstructor(List.of(), ExecutableMode.INVOKE));
        addFields(hints, "PS", "key", "value");
        addFields(hints, "BoundedLocalCache", "refreshes");
        addFields(hints, "BLCHeader$DrainStatusRef", "drainStatus");
        addFields(hints, "StripedBuffer", "tableBusy");
        addFields(hints, "BaseMpscLinkedArrayQueueProducerFields", "producerIndex");
        addFields(hints, "BaseMpscLinkedArrayQueueConsumerFields", "consumerIndex");
        addFields(hints, "BaseMpscLinkedArrayQueueColdProducerFields", "producerLimit");
    }

    private static void addFields(ReflectionHints hints, String type, String... fields) {
        hints.registerType(
                TypeReference.of(caffeine(type)), builder -> List.of(fields).forEach(builder::withField));
    }

    private static String caffeine(String type) {
        return "com.github.benmanes.caffeine.cache." + type;
    }
}
