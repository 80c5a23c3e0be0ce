package dev.ttlstore.serialization;

import java.io.Externalizable;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Finds what Java's serialization leaves out in silence: the fields of a superclass that is not Serializable. Java neither writes nor reads them, and calls a constructor without parameters in their place.
 */
final class InheritedState {

    /** Methods by which a class writes or makes its objects as it likes. */
    private static final Set<String> OWN_FORM = Set.of("writeObject", "writeReplace", "readResolve");

    /** The classes that objects of a class inherit from and that are not Serializable, the first of them only. */
    private static final ClassValue<Optional<Class<?>>> BASES = new ClassValue<>() {
        @Override
        protected Optional<Class<?>> computeValue(Class<?> type) {
            return Optional.ofNullable(base(type));
        }
    };

    private InheritedState() {}

    /** Says why an object would not come back; null if it would. */
    static @Nullable String problem(Object value) {
        Class<?> type = value.getClass();
        Class<?> base = BASES.get(type).orElse(null);
        if (base == null) {
            return null;
        }
        String beginning =
                type.getName() + " is Serializable, but " + base.getName() + ", which it extends, is not, and ";
        if (!hasConstructor(base, type)) {
            return beginning + "has no constructor without parameters, by which Java would read it";
        }
        try {
            Field lost = lost(value, base);
            return lost == null ? null : beginning + "its field '" + lost.getName() + "' would be lost";
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            return null; // nobody can look
        }
    }

    private static @Nullable Class<?> base(Class<?> type) {
        if (Externalizable.class.isAssignableFrom(type) || type.isRecord() || isOfJava(type)) {
            return null;
        }
        Class<?> base = type;
        while (base != null && Serializable.class.isAssignableFrom(base)) {
            if (hasOwnForm(base)) {
                return null;
            }
            base = base.getSuperclass();
        }
        return base == null || isOfJava(base) ? null : base;
    }

    /** Returns a field that has something else than the constructor, which is called when the object is read, gives it. */
    private static @Nullable Field lost(Object value, Class<?> base) throws ReflectiveOperationException {
        Object made = null;
        for (Class<?> each = base; !isOfJava(each); each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (isState(field)) {
                    if (Modifier.isAbstract(base.getModifiers())) {
                        return field;
                    }
                    if (made == null) {
                        Constructor<?> constructor = base.getDeclaredConstructor();
                        constructor.setAccessible(true);
                        made = constructor.newInstance();
                    }
                    field.setAccessible(true);
                    if (!Objects.deepEquals(field.get(value), field.get(made))) {
                        return field;
                    }
                }
            }
        }
        return null;
    }

    private static boolean hasOwnForm(Class<?> type) {
        return isOfJava(type)
                || Arrays.stream(type.getDeclaredMethods()).map(Method::getName).anyMatch(OWN_FORM::contains);
    }

    private static boolean isOfJava(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    private static boolean hasConstructor(Class<?> base, Class<?> type) {
        try {
            Constructor<?> constructor = base.getDeclaredConstructor();
            int modifiers = constructor.getModifiers();
            return Modifier.isPublic(modifiers)
                    || Modifier.isProtected(modifiers)
                    || (!Modifier.isPrivate(modifiers) && base.getPackage() == type.getPackage());
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Tests whether a field holds a value; a logger or a lock does not. */
    private static boolean isState(Field field) {
        return !Modifier.isStatic(field.getModifiers())
                && !Modifier.isTransient(field.getModifiers())
                && !field.isSynthetic()
                && (field.getType().isPrimitive()
                        || Serializable.class.isAssignableFrom(field.getType())
                        || Collection.class.isAssignableFrom(field.getType())
                        || Map.class.isAssignableFrom(field.getType()));
    }
}
