package dev.ttlstore.spring.json;

import java.io.Serial;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.impl.SetterlessProperty;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.BeanPropertyDefinition;

/**
 * Fills a list by its getter only if there is a field for it. What another getter returns was computed, and is passed over when it is
 * read, as are other computed properties.
 */
final class GettersOfState extends ValueDeserializerModifier {

    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription.Supplier beans, BeanDeserializerBuilder builder) {
        List<SettableBeanProperty> byGetter = new ArrayList<>();
        for (Iterator<SettableBeanProperty> all = builder.getProperties(); all.hasNext(); ) {
            SettableBeanProperty each = all.next();
            if (each instanceof SetterlessProperty) {
                byGetter.add(each);
            }
        }
        if (!byGetter.isEmpty()) {
            Set<String> state = state(beans.get());
            byGetter.stream().filter(each -> !state.contains(each.getName())).forEach(each -> {
                builder.removeProperty(each.getFullName());
                builder.addIgnorable(each.getName());
            });
        }
        return builder;
    }

    /** Returns the names of properties that have a field. */
    private static Set<String> state(BeanDescription description) {
        Set<String> fields = new HashSet<>();
        for (AnnotatedField field : description.getClassInfo().fields()) {
            fields.add(field.getName());
        }
        Set<String> names = new HashSet<>();
        for (BeanPropertyDefinition property : description.findProperties()) {
            if (fields.contains(property.getInternalName())) {
                names.add(property.getName());
            }
        }
        return names;
    }
}
