package dev.ttlstore.internal.store;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ttlstore.Codec;
import dev.ttlstore.TextGroup;
import dev.ttlstore.internal.access.RowAccess;

/** A group of texts. */
final class DefaultTextGroup extends DefaultGroup<String> implements TextGroup {

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+", Pattern.UNICODE_CHARACTER_CLASS);

    DefaultTextGroup(String name, String fullName, RowAccess access) {
        super(name, fullName, Codec.text(), access);
    }

    @Override
    public Optional<List<String>> split(String key, String separator) {
        Objects.requireNonNull(separator, "'separator' must not be null");
        if (separator.isEmpty()) {
            throw new IllegalArgumentException("'separator' must not be empty");
        }
        Pattern literal = Pattern.compile(separator, Pattern.LITERAL);
        return get(key).map(text -> List.of(literal.split(text, -1)));
    }

    @Override
    public Optional<List<String>> fields(String key) {
        return get(key).map(text -> Stream.of(WHITE_SPACE.split(text))
                .filter(field -> !field.isEmpty())
                .toList());
    }

    @Override
    public String render(String template) {
        return Templates.render(template, getAll(), false);
    }

    @Override
    public String renderStrict(String template) {
        return Templates.render(template, getAll(), true);
    }
}
