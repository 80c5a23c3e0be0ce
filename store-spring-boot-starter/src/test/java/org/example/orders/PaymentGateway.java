package org.example.orders;

import org.springframework.stereotype.Component;

@Component
class PaymentGateway {

    boolean pay(String number, int amount) {
        return !number.isBlank() && amount > 0;
    }
}
