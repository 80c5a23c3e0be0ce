package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Converts the interval of a scheduled job: a duration in Boot's formats, or {@code -} for none.
 *
 * @since 0.1
 * @see StoreProperties
 */
@ConfigurationPropertiesBinding
public final class IntervalConverter implements ConditionalGenericConverter {

    IntervalConverter() {}

    /**
     * Checks an interval. An empty property is bound as null.
     *
     * @param property the name of the property
     * @param interval the interval
     * @return the interval
     * @throws InvalidConfigurationPropertyValueException if it is null or negative
     */
    public static Duration require(String property, @Nullable Duration interval) {
        if (interval == null || interval.isNegative()) {
            throw new InvalidConfigurationPropertyValueException(
                    property, interval, "it must be a duration that is not negative; write '-' to turn the job off");
        }
        return interval;
    }

    /**
     * Parses an interval.
     *
     * @param text the value of a property
     * @return the interval; zero for {@code -}
     * @throws IllegalArgumentException if it is no duration
     */
    public static Duration parse(String text) {
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
