package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.ClassUtils;

import dev.ttlstore.exception.MissingCodecException;

/** Says of which class no values can be kept, and what to do: most often, add Jackson. */
final class MissingCodecFailureAnalyzer extends AbstractFailureAnalyzer<MissingCodecException> {

    private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

    private final @Nullable ClassLoader classLoader;

    /**
     * Creates the analyzer.
     *
     * @param beans the application's beans, whose class loader has Jackson or not
     */
    MissingCodecFailureAnalyzer(BeanFactory beans) {
        this.classLoader = beans instanceof ConfigurableBeanFactory factory ? factory.getBeanClassLoader() : null;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MissingCodecException cause) {
        boolean hasJackson = ClassUtils.isPresent(JACKSON, classLoader);
        String type = cause.type().getName();
        return new FailureAnalysis(
                "No values of " + type + " can be kept, for there is no codec for them"
                        + (hasJackson
                                ? "."
                                : ", and Jackson, which would keep them as JSON, is not on the class path."),
                hasJackson ? letTheCodecsKnow(type) : addJackson(type),
                cause);
    }

    private static String addJackson(String type) {
        return "Add the dependency org.springframework.boot:spring-boot-starter-jackson, or declare a CodecFactory bean that"
                + " has a codec for " + type + ", or give the group a codec.";
    }

    /** Jackson knows every class, so it is not asked: other codecs have taken its place. */
    private static String letTheCodecsKnow(String type) {
        return "If the application makes its own Store, hand the CodecFactory bean to its builder: codecs(…). If it has its own"
                + " CodecFactory, let that have a codec for " + type + ".";
    }
}
