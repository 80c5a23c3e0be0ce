package dev.ttlstore.spring.json;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * Finds accessors that do nothing but return or set their field, by the code of their class. Others may answer something else than their
 * field now and then, such as an empty list for null. If the code is not there, as in a native image, no method counts as plain.
 * Thread-safe.
 */
final class PlainAccessors {

    /** The fields that methods return or set, by the names and descriptors of the methods. */
    private final ConcurrentMap<Class<?>, Map<String, String>> fields = new ConcurrentHashMap<>();

    /** Tests whether a property is what is in a field, and is set by a constructor, a builder or as it is. */
    boolean access(Field field, BeanPropertyWriter writer, @Nullable SettableBeanProperty setter) {
        return isPlain(writer.getMember(), field)
                && (setter == null || setter.isCreatorProperty() || isPlain(setter.getMember(), field));
    }

    private boolean isPlain(@Nullable AnnotatedMember accessor, Field field) {
        if (accessor == null || !(accessor.getMember() instanceof Method method)) {
            return accessor != null && field.equals(accessor.getMember());
        }
        Class<?> declaring = method.getDeclaringClass();
        String own = fields.computeIfAbsent(declaring, PlainAccessors::ofClass)
                .get(method.getName() + Type.getMethodDescriptor(method));
        return own != null && (own.equals(field.getName()) || isOfBuilder(declaring, field));
    }

    /** A method of a builder sets a field of the builder, which may have another name. */
    private static boolean isOfBuilder(Class<?> declaring, Field field) {
        return !declaring.isAssignableFrom(field.getDeclaringClass())
                && !field.getDeclaringClass().isAssignableFrom(declaring);
    }

    private static Map<String, String> ofClass(Class<?> type) {
        Map<String, String> found = new HashMap<>();
        try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (code != null) {
                new ClassReader(code).accept(new Methods(found), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException e) {
            return Map.of(); // of a version of Java that Spring does not know
        }
        return found;
    }

    private static final class Methods extends ClassVisitor {

        private final Map<String, String> found;
        private String owner = "";

        Methods(Map<String, String> found) {
            super(SpringAsmInfo.ASM_VERSION);
            this.found = found;
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            owner = name;
        }

        @Override
        public PlainCode visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new PlainCode(owner, field -> found.put(name + descriptor, field));
        }
    }
}
