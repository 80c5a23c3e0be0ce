package dev.ttlstore.spring.cache;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

import static java.util.Objects.requireNonNull;

/**
 * The keys of a cache as texts. Equal keys have the same text, also after a restart and in other instances; different keys have
 * different ones. A text stands for itself. Everything else starts with '#' and names its class, so that the number 1 is not the text
 * "1".
 */
final class CacheKeys {

    private static final char MARK = '#';

    /** The longest text of a key, in chars of up to three bytes; longer ones are replaced by their hash. */
    private static final int MAX_LENGTH = 300;

    /** Classes, beside those of {@code java.time}, whose objects are equal if they have the same text. */
    private static final Set<Class<?>> PLAIN = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class,
            Locale.class,
            Currency.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class);

    private static final Pattern ESCAPE = Pattern.compile("%[0-9a-fA-F]{2}");

    /** What a key consists of that was made of several parameters. Spring tells it to nobody. */
    private static final Field PARAMETERS = requireNonNull(ReflectionUtils.findField(SimpleKey.class, "params"));

    static {
        ReflectionUtils.makeAccessible(PARAMETERS);
    }

    private CacheKeys() {}

    /**
     * Returns the text of a key.
     *
     * @throws IllegalArgumentException if the class of the key, or of a part of it, has no text that is the same for equal objects
     */
    static String of(Object key) {
        requireNonNull(key, "'key' must not be null");
        String text =
                key instanceof String plain && !plain.isEmpty() && plain.charAt(0) != MARK ? plain : MARK + encode(key);
        return text.length() <= MAX_LENGTH && text.chars().allMatch(CacheKeys::isUsual) ? text : hash(text);
    }

    /** Tests whether a char may stand in a key of a store: half of a surrogate pair and NUL may not. */
    private static boolean isUsual(int c) {
        return c != 0 && !Character.isSurrogate((char) c);
    }

    @SuppressWarnings("JavaUtilDate") // callers of the cache use it
    private static String encode(@Nullable Object part) {
        if (part == null) {
            return "null:";
        } else if (PLAIN.contains(part.getClass())) {
            return part.getClass().getSimpleName() + ":" + part;
        } else if (part.getClass().getPackageName().equals("java.time")) {
            return part.getClass().getSimpleName() + ":" + part;
        } else if (part instanceof URI uri) {
            return "URI:" + canonical(uri);
        } else if (part.getClass()
                == Date.class) { // but not java.sql.Timestamp: a Date equals it, and it equals no Date
            return "Date:" + ((Date) part).getTime();
        } else if (part instanceof Enum<?> constant) {
            return constant.getDeclaringClass().getName() + ":" + constant.name();
        } else if (part instanceof Class<?> type) {
            return "Class:" + type.getName();
        } else if (part instanceof SimpleKey) {
            return "SimpleKey:"
                    + join(Stream.of((Object[]) requireNonNull(ReflectionUtils.getField(PARAMETERS, part))));
        }
        return encodeParts(part);
    }

    /** Returns the same text for equal URIs, for which the case of the scheme, the host and of escapes does not count. */
    private static String canonical(URI uri) {
        String text = ESCAPE.matcher(uri.toString())
                .replaceAll(escape -> escape.group().toUpperCase(Locale.ROOT));
        if (uri.getScheme() != null) {
            int end = uri.getScheme().length();
            text = text.substring(0, end).toLowerCase(Locale.ROOT) + text.substring(end);
        }
        if (uri.getHost() != null) {
            int start = text.indexOf("//") + 2 + uri.getRawAuthority().lastIndexOf('@') + 1;
            int end = start + uri.getHost().length();
            text = text.substring(0, start) + text.substring(start, end).toLowerCase(Locale.ROOT) + text.substring(end);
        }
        return text;
    }

    private static String encodeParts(Object whole) {
        if (whole instanceof Record) {
            return whole.getClass().getName() + ":"
                    + join(Arrays.stream(whole.getClass().getRecordComponents())
                            .map(component -> read(component, whole)));
        } else if (whole.getClass().isArray()) {
            return whole.getClass().getComponentType().getName() + "[]:"
                    + join(Arrays.stream(ObjectUtils.toObjectArray(whole)));
        } else if (whole instanceof Optional<?> some) {
            return "Optional:" + join(some.stream());
        } else if (whole instanceof List<?> list) {
            return "List:" + join(list.stream());
        } else if (whole instanceof Set<?> set) {
            return "Set:" + joinEncoded(set.stream().map(CacheKeys::encode).sorted());
        } else if (whole instanceof Map<?, ?> map) {
            return "Map:"
                    + joinEncoded(map.entrySet().stream()
                            .map(entry -> join(Stream.of(entry.getKey(), entry.getValue())))
                            .sorted());
        }
        Stream<?> ofPage = PageKeys.EXIST ? PageKeys.parts(whole) : null;
        if (ofPage != null) {
            return "SpringData:" + join(ofPage);
        }
        throw new IllegalArgumentException("'key' must not consist of objects of "
                + whole.getClass().getName()
                + ", because nothing says which of them are the same after a restart; use an id, as in"
                + " @Cacheable(key = \"#order.id\"), or make it a record");
    }

    private static @Nullable Object read(RecordComponent component, Object whole) {
        ReflectionUtils.makeAccessible(component.getAccessor());
        return ReflectionUtils.invokeMethod(component.getAccessor(), whole);
    }

    private static String join(Stream<?> parts) {
        return joinEncoded(parts.map(CacheKeys::encode));
    }

    /** Says the length of each part, so that no two lists of parts have the same text. */
    private static String joinEncoded(Stream<String> parts) {
        return parts.map(part -> part.length() + "." + part).collect(Collectors.joining(","));
    }

    private static String hash(String text) {
        try {
            ByteBuffer chars = ByteBuffer.allocate(2 * text.length()); // no charset encodes half of a surrogate pair
            chars.asCharBuffer().put(text);
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(chars.array());
            return MARK + "sha256:" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
