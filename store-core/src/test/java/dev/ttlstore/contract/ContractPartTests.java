package dev.ttlstore.contract;

import java.lang.reflect.Method;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Which tests of the contract run on every engine in each build. */
class ContractPartTests {

    abstract static class AnArea {

        @Promise(1)
        void named() {}

        void unnamed() {}
    }

    @Promise(2)
    abstract static class AnAreaOfAPromise {

        void unnamed() {}
    }

    /** As the contract of an engine has its areas. */
    abstract static class AnEngine {

        @Nested
        class Area extends AnArea {}

        @Nested
        class AreaOfAPromise extends AnAreaOfAPromise {}
    }

    @ParameterizedTest
    @CsvSource({"Area, named, true", "Area, unnamed, false", "AreaOfAPromise, unnamed, true"})
    void aTestNamesAPromiseIfItselfOrItsAreaDoes(String area, String name, boolean expected) throws Exception {
        Class<?> type = Class.forName(AnEngine.class.getName() + '$' + area);
        Method test = type.getSuperclass().getDeclaredMethod(name);
        assertThat(ContractPart.Selection.namesPromise(test, type)).isEqualTo(expected);
    }
}
