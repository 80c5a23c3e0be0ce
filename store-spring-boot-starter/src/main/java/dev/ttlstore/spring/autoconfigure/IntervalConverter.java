package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.scheduling.annotation.Scheduled;

/** Converts the interval of a scheduled job: a duration in Boot's formats, or {@code -} for none. */
@ConfigurationPropertiesBinding
final class IntervalConverter implements ConditionalGenericConverter {

    static Duration parse(String text) {
        if (text.trim().equals(Scheduled.CRON_DISABLED)) {
            return Duration.ZERO;
        }
        return DurationStyle.detectAndParse(text, ChronoUnit.MILLIS);
    }

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Set.of(new ConvertiblePair(String.class, Duration.class));
    }

    @Override
    public boolean matches(TypeDescriptor sourceType, TypeDescriptor targetType) {
        return targetType.hasAnnotation(Interval.class);
    }

    @Override
    public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
        return source == null ? null : parse((String) source);
    }
}
