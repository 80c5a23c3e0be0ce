package dev.ttlstore;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Each of our packages is a slice. */
final class PackageSlices implements SliceAssignment {

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
        return type.getPackageName().startsWith("dev.ttlstore")
                ? SliceIdentifier.of(type.getPackageName())
                : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
        return "packages of dev.ttlstore";
    }
}
