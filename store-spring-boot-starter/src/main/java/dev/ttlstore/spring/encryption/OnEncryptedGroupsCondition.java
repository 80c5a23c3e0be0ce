package dev.ttlstore.spring.encryption;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the properties name groups to encrypt. Only then the starter looks for Tink.
 *
 * @since 0.1
 * @see StoreEncryptionAutoConfiguration
 */
public final class OnEncryptedGroupsCondition extends SpringBootCondition {

    /** Creates the condition. */
    public OnEncryptedGroupsCondition() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Store encryption");
        List<String> groups = Binder.get(context.getEnvironment())
                .bind(EncryptedGroups.PROPERTY, Bindable.listOf(String.class))
                .orElseGet(List::of);
        return groups.isEmpty()
                ? ConditionOutcome.noMatch(message.didNotFind("property").items(EncryptedGroups.PROPERTY))
                : ConditionOutcome.match(message.found("property").items(EncryptedGroups.PROPERTY));
    }
}
