package dev.ttlstore.exception;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

class PrintableTests {

    @Test
    void whatIsShownStaysAsItIs() {
        String text = "plain: Wörter, 漢字, 👩 and ' \"";
        assertThat(Printable.of(text)).isSameAs(text);
    }

    @Test
    void whatIsNotShownBecomesItsCode() {
        assertThat(Printable.of("a\nb\r\u001b[2J\u0085\u2028\u202e\ud800\udb40\udc41"))
                .isEqualTo("a\\u000ab\\u000d\\u001b[2J\\u0085\\u2028\\u202e\\ud800\\udb40\\udc41");
    }

    @Test
    void theMessageOfAnExceptionIsOneLine() {
        StoreException exception = new StoreException("of group 'a\nb'", "do\tsomething", null);
        assertThat(exception.getMessage()).isEqualTo("of group 'a\\u000ab'. do\\u0009something");
        assertThat(exception.problem()).doesNotContain("\n");
        assertThat(exception.remedy()).doesNotContain("\t");
    }
}
