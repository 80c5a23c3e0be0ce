package dev.ttlstore.spring.json;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;

import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.PropertyMetadata;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.impl.SetterlessProperty;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.ser.BeanPropertyWriter;

/** Says which properties of a class come back if values of their types do. */
final class PropertyRules {

    private final MapperConfig<?> config;
    private final AnnotationIntrospector annotations;
    private final JsonInclude.Value inclusion;

    PropertyRules(BeanDescription description, MapperConfig<?> config) {
        this.config = config;
        this.annotations = config.getAnnotationIntrospector();
        this.inclusion = description.findPropertyInclusion(config.getDefaultPropertyInclusion());
    }

    /**
     * Tests whether a property is written always, as its type says, and set as it was. What is set by way of a getter depends on the
     * getter: it may return a copy.
     */
    boolean isPlain(BeanPropertyWriter writer, SettableBeanProperty setter) {
        return writer.getTypeSerializer() == null
                && writer.getType().getRawClass() == setter.getType().getRawClass()
                && !(setter instanceof SetterlessProperty)
                && isWritten(writer, setter.isCreatorProperty())
                && isSetAsItIs(setter.getMetadata())
                && !hasOwnFormat(writer, setter);
    }

    /** A null that is not written is null again only if it is the argument of a constructor. */
    private boolean isWritten(BeanPropertyWriter writer, boolean ofConstructor) {
        JsonInclude.Value all = inclusion;
        JsonInclude.Value own = annotations.findPropertyInclusion(config, writer.getMember());
        if (own != null) {
            all = all.withOverrides(own);
        }
        return isAlways(all.getContentInclusion())
                && (isAlways(all.getValueInclusion())
                        ? !writer.willSuppressNulls()
                        : ofConstructor && all.getValueInclusion() == JsonInclude.Include.NON_NULL);
    }

    /** Tests whether null is set as null, and what is there is replaced. */
    private static boolean isSetAsItIs(PropertyMetadata metadata) {
        return isDefault(metadata.getValueNulls())
                && isDefault(metadata.getContentNulls())
                && metadata.getMergeInfo() == null;
    }

    private static boolean isDefault(@Nullable Nulls nulls) {
        return nulls == null || nulls == Nulls.DEFAULT || nulls == Nulls.SET;
    }

    private static boolean isAlways(JsonInclude.Include include) {
        return include == JsonInclude.Include.ALWAYS || include == JsonInclude.Include.USE_DEFAULTS;
    }

    /** Tests whether annotations say how the property is written or read. */
    boolean hasOwnFormat(BeanPropertyWriter writer, @Nullable SettableBeanProperty setter) {
        return hasOwnFormat(writer.getMember()) || (setter != null && hasOwnFormat(setter.getMember()));
    }

    private boolean hasOwnFormat(@Nullable AnnotatedMember member) {
        if (member == null) {
            return false;
        }
        JsonFormat.Value format = annotations.findFormat(config, member);
        return (format != null && !format.equals(JsonFormat.Value.empty()))
                || annotations.findSerializer(config, member) != null
                || annotations.findContentSerializer(config, member) != null
                || annotations.findKeySerializer(config, member) != null
                || annotations.findSerializationConverter(config, member) != null
                || annotations.findSerializationContentConverter(config, member) != null
                || annotations.findDeserializer(config, member) != null
                || annotations.findContentDeserializer(config, member) != null
                || annotations.findKeyDeserializer(config, member) != null
                || annotations.findDeserializationConverter(config, member) != null
                || annotations.findDeserializationContentConverter(config, member) != null
                || annotations
                                .findPropertyIgnoralByName(config, member)
                                .getIgnored()
                                .size()
                        > 0
                || annotations.findPropertyInclusionByName(config, member).getIncluded() != null;
    }
}
