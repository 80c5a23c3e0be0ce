package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless the purge job is switched off, by {@code store.purge.enabled} or by an interval of none. */
final class OnPurgeJobCondition extends SpringBootCondition {

    static final String INTERVAL = "store.purge-interval";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        ConditionMessage.Builder message = ConditionMessage.forCondition("Store purge job");
        if (!environment.getProperty("store.purge.enabled", Boolean.class, true)) {
            return ConditionOutcome.noMatch(message.because("store.purge.enabled is false"));
        }
        String interval = environment.getProperty(INTERVAL);
        if (interval != null && isOff(interval)) {
            return ConditionOutcome.noMatch(message.because(INTERVAL + " is " + interval));
        }
        return ConditionOutcome.match(message.because("it is not switched off"));
    }

    private static boolean isOff(String interval) {
        try {
            return IntervalConverter.parse(interval).isZero();
        } catch (IllegalArgumentException e) {
            return true; // binding the properties is about to say so, with the name of the property
        }
    }
}
