package org.example.orders;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @GetMapping("/orders/{number}")
    ResponseEntity<Order> find(@PathVariable String number) {
        return ResponseEntity.of(orders.find(number));
    }

    @PutMapping("/orders/{number}")
    @ResponseStatus(HttpStatus.CREATED)
    void place(@PathVariable String number, @RequestBody Order order) {
        orders.place(number, order.articlePrice());
    }
}
