package dev.ttlstore.spring.values;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.TypeRef;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Types that properties name. */
class TypeNamesTests {

    private static java.lang.reflect.Type find(String name) {
        return TypeNames.find(name, TypeNamesTests.class.getClassLoader());
    }

    @Test
    void typesAreFoundByTheirNames() {
        assertThat(find("java.lang.Long")).isEqualTo(Long.class);
        assertThat(find("java.lang.Long[]")).isEqualTo(Long[].class);
        assertThat(find("java.util.List<java.lang.Long>")).isEqualTo(new TypeRef<List<Long>>() {}.type());
        assertThat(find("java.util.Map< java.lang.String , java.util.List<java.lang.Long[]> >"))
                .isEqualTo(new TypeRef<Map<String, List<Long[]>>>() {}.type());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            java.util.List                              | java.util.List<com.example.Book>
            java.util.Map                               | java.util.Map<java.lang.String,com.example.Book>
            java.util.List<java.util.Map>               | java.util.Map<java.lang.String,com.example.Book>
            java.util.List[]                            | java.util.List<com.example.Book>
            java.util.Map<java.lang.String>             | java.util.Map<java.lang.String,com.example.Book>
            java.lang.Long<java.lang.Long>              | java.lang.Long has no type arguments
            com.example.Missing                         | there is no class 'com.example.Missing'
            java.util.List<java.lang.Long               | it is no type
            java.util.List<java.lang.Long>>             | it is no type
            java.util.List<java.lang.Long>java.lang.Long | it is no type
            ''                                          | there is no class ''
            """)
    void othersAreRefusedWithWhatToWrite(String name, String reason) {
        assertThatIllegalArgumentException().isThrownBy(() -> find(name)).withMessageContaining(reason);
    }
}
