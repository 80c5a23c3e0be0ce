package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

/** A context of Spring's, without Boot. */
@SpringJUnitConfig
class ReceiptTest {

    @Autowired
    private String receipt;

    @Test
    void aReceiptHasATotal() {
        assertThat(receipt).isEqualTo("Total: 100");
    }

    @Configuration(proxyBeanMethods = false)
    static class Receipts {

        @Bean
        String receipt() {
            return "Total: 100";
        }
    }
}
