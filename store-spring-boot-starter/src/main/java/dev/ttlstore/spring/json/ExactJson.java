package dev.ttlstore.spring.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Holds the settings of Jackson with which Java values come back as they were written.
 *
 * @since 0.1
 * @see JacksonCodecFactory
 */
public final class ExactJson {

    private ExactJson() {}

    /**
     * Returns a builder with Jackson's defaults, except for what {@link #module()} sets, and that numbers, texts and keys of maps may have
     * any length.
     *
     * @return a builder, to customize and build
     */
    public static JsonMapper.Builder builder() {
        StreamReadConstraints anyLength = StreamReadConstraints.builder()
                .maxNumberLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build();
        JsonMapper.Builder builder = JsonMapper.builder(
                JsonFactory.builder().streamReadConstraints(anyLength).build());
        set(builder);
        return builder;
    }

    /**
     * Returns a module for a mapper whose modules set something else, to be added after them, as those of Spring Security do: times keep
     * their offset, zone and nanoseconds, and enums are written by name.
     *
     * @return the module
     */
    public static JacksonModule module() {
        return new SimpleModule("ttl-store-exact") {
            @Override
            public void setupModule(SetupContext context) {
                super.setupModule(context);
                set((MapperBuilder<?, ?>) context.getOwner());
            }
        };
    }

    private static void set(MapperBuilder<?, ?> builder) {
        builder.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID);
        builder.disable(
                DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
                DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID,
                DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS,
                DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE,
                DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
        builder.disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING);
    }
}
