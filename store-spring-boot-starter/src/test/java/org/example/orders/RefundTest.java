package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

@SpringBootTest
class RefundTest {

    @MockitoBean
    private PaymentGateway payments;

    @Autowired
    private Orders orders;

    @Test
    void whatIsNotPaidIsNotOrdered() {
        assertThat(orders.place("Refund-1", 100)).isFalse();
    }

    @Test
    void whatIsPaidIsOrdered() {
        when(payments.pay("Refund-2", 100)).thenReturn(true);
        assertThat(orders.place("Refund-2", 100)).isTrue();
    }
}
