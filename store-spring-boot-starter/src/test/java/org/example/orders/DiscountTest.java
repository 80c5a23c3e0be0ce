package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = "orders.discount=10")
class DiscountTest {

    @Autowired
    private Orders orders;

    @Test
    void theDiscountIsTakenOff() {
        orders.place("discounted", 100);
        assertThat(orders.find("discounted")).map(Order::articlePrice).contains(90);
    }
}
