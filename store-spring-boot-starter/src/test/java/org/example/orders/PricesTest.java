package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class PricesTest {

    @Autowired
    private Prices prices;

    @Test
    void aPriceIsLookedUpOnce() {
        int before = prices.lookups();
        assertThat(prices.of("table")).isEqualTo(500);
        assertThat(prices.of("table")).isEqualTo(500);
        assertThat(prices.lookups()).isEqualTo(before + 1);
    }
}
