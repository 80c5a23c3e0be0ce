package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@Transactional
class OrdersTest {

    @Autowired
    private Orders orders;

    @Test
    void anOrderIsFound() {
        assertThat(orders.place("a", 100)).isTrue();
        assertThat(orders.find("a")).contains(new Order("a", 100, null));
    }

    @Test
    void testsAreRolledBack() {
        assertThat(orders.find("a")).isEmpty();
        assertThat(orders.count()).isZero();
    }
}
