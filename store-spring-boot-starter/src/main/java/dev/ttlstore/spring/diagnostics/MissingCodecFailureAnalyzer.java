package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.ClassUtils;

import dev.ttlstore.exception.MissingCodecException;

/** Reports a class whose values have no codec, and what to do. Usually Jackson is missing. */
final class MissingCodecFailureAnalyzer extends AbstractFailureAnalyzer<MissingCodecException> {

    private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

    private final @Nullable ClassLoader classLoader;

    /**
     * Creates the analyzer.
     *
     * @param beans the application's beans, whose class loader may have Jackson
     */
    MissingCodecFailureAnalyzer(BeanFactory beans) {
        this.classLoader = beans instanceof ConfigurableBeanFactory factory ? factory.getBeanClassLoader() : null;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MissingCodecException cause) {
        boolean hasJackson = ClassUtils.isPresent(JACKSON, classLoader);
        String type = cause.type().getTypeName();
        return new FailureAnalysis(
                "Values of " + type + " cannot be stored, because there is no codec for them"
                        + (hasJackson
                                ? "."
                                : ", and Jackson, which would store them as JSON, is not on the class path."),
                Guide.GROUPS.after(hasJackson ? letTheCodecsKnow(type) : addJackson(type)),
                cause);
    }

    private static String addJackson(String type) {
        return "Add the dependency org.springframework.boot:spring-boot-starter-jackson, or declare a CodecFactory bean"
                + " with a codec for " + type + ", or pass a codec to the group.";
    }

    /** Jackson handles every class, so it was not used: other codecs have replaced it. */
    private static String letTheCodecsKnow(String type) {
        return "If the application opens its own Store, pass the CodecFactory bean to its builder: codecs(…). If it has"
                + " its own CodecFactory, add a codec for " + type + " to it.";
    }
}
