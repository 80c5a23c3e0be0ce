package org.example.orders;

import java.util.Optional;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

@Service
class Orders {

    private final JdbcTemplate jdbc;
    private final PaymentGateway payments;
    private final int discount;

    Orders(JdbcTemplate jdbc, PaymentGateway payments, @Value("${orders.discount}") int discount) {
        this.jdbc = jdbc;
        this.payments = payments;
        this.discount = discount;
        jdbc.execute("CREATE TABLE IF NOT EXISTS orders (number VARCHAR PRIMARY KEY, price INT)");
    }

    boolean place(String number, int price) {
        int due = price - discount;
        if (!payments.pay(number, due)) {
            return false;
        }
        return jdbc.update("INSERT INTO orders VALUES (?, ?)", number, due) == 1;
    }

    Optional<Order> find(String number) {
        return jdbc
                .query(
                        "SELECT number, price FROM orders WHERE number = ?",
                        (row, index) -> new Order(row.getString(1), row.getInt(2), null),
                        number)
                .stream()
                .findFirst();
    }

    int count() {
        Integer count = jdbc.queryForObject("SELECT count(*) FROM orders", Integer.class);
        return count == null ? 0 : count;
    }
}
