package dev.ttlstore.spring.purge;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import dev.ttlstore.spring.autoconfigure.IntervalConverter;
import dev.ttlstore.spring.autoconfigure.StoreProperties;

/** Matches unless the purge job is turned off by {@code store.purge.enabled} or by an interval of zero. */
final class OnPurgeJobCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Store purge job");
        String off = whyOff(context.getEnvironment());
        return off == null
                ? ConditionOutcome.match(message.because("it is not turned off"))
                : ConditionOutcome.noMatch(message.because(off));
    }

    /** Returns the property that turns the job off with its value, or null if it is on. */
    static @Nullable String whyOff(Environment environment) {
        if (!environment.getProperty("store.purge.enabled", Boolean.class, true)) {
            return "store.purge.enabled is false";
        }
        String interval = environment.getProperty(StoreProperties.PURGE_INTERVAL);
        return interval != null && isOff(interval) ? StoreProperties.PURGE_INTERVAL + " is " + interval : null;
    }

    private static boolean isOff(String interval) {
        try {
            return IntervalConverter.parse(interval).isZero();
        } catch (IllegalArgumentException e) {
            return true; // binding the properties fails next, and names the property
        }
    }
}
