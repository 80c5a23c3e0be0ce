package dev.ttlstore.spring.documents;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages list each property, meter and group that there is. {@code -Ddocuments.write=true} writes them:
 *
 * <pre>mvn -pl store-core,store-spring-boot-starter test -Dtest=GeneratedTablesTests,MetersTableTests -Ddocuments.write=true -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
class GeneratedTablesTests {

    @Test
    void thePageOfPropertiesHasEachWithItsDefaultItsUnitAndItsMeaning() {
        new GeneratedTable("properties").assertIs(new PropertiesPage().tables());
    }

    @Test
    void eachPropertyHasAMeaning() {
        assertThat(new Metadata().properties()).allSatisfy(property -> assertThat(property.meaning())
                .as("description of %s", property.name())
                .matches("[A-Z\\d].*\\."));
    }

    @Test
    void thePageOfGroupsHasThoseOfTheFeatures() {
        new GeneratedTable("groups-and-values").assertIs(GroupsTable.text());
    }
}
