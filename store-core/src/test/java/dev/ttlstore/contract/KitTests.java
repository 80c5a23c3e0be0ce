package dev.ttlstore.contract;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The test-jar carries this package, so that engines of others can be tested. */
class KitTests {

    private static final String KIT = "dev.ttlstore.contract";

    @Test
    void theKitNeedsNoTestClassesBesideItself() throws URISyntaxException {
        Path tests = Path.of(KitTests.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> missing = new ClassFileImporter()
                .importPath(tests.resolve(KIT.replace('.', '/'))).stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(Dependency::getTargetClass)
                        .map(JavaClass::getBaseComponentType)
                        .filter(type -> !type.getPackageName().startsWith(KIT))
                        .map(JavaClass::getName)
                        .filter(name -> Files.exists(tests.resolve(name.replace('.', '/') + ".class")))
                        .distinct()
                        .toList();
        assertThat(missing).isEmpty();
    }
}
