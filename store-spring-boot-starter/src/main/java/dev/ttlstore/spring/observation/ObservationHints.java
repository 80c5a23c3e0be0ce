package dev.ttlstore.spring.observation;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The native image hints of the proxies and the calls that they pass on. */
final class ObservationHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (Class<?> type : ObservedApi.TYPES) {
            hints.proxies().registerJdkProxy(ObservedApi.interfaces(type));
            hints.reflection()
                    .registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS)
                    .registerForInterfaces(type, parent -> parent.withMembers(MemberCategory.INVOKE_PUBLIC_METHODS));
        }
    }
}
