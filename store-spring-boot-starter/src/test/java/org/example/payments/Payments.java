package org.example.payments;

import java.net.URI;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

import jakarta.servlet.http.HttpServletResponse;

/** Payments, each with a number. */
@RestController
@RequestMapping("/payments")
public class Payments {

    private final AtomicInteger made = new AtomicInteger();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    /**
     * A payment.
     *
     * @param number counts the payments
     * @param amount the amount
     */
    public record Payment(int number, String amount) {}

    /** Returns the number of payments that were made. */
    public int made() {
        return made.get();
    }

    /** Forgets the payments that were made. */
    public void clear() {
        made.set(0);
    }

    /** Opens when the slow payment is being made. */
    public CountDownLatch running() {
        return running;
    }

    /** Lets the slow payment end. */
    public CountDownLatch end() {
        return end;
    }

    @PostMapping
    ResponseEntity<Payment> pay(@RequestBody String amount, HttpServletResponse response) {
        Payment payment = new Payment(made.incrementAndGet(), amount);
        response.addHeader("Set-Cookie", "seen=" + payment.number());
        return ResponseEntity.created(URI.create("/payments/" + payment.number()))
                .header("X-Receipt", "receipt-" + payment.number())
                .body(payment);
    }

    @PutMapping
    Payment put(@RequestBody String amount) {
        return new Payment(made.incrementAndGet(), amount);
    }

    @PostMapping("/slow")
    Payment slow() throws InterruptedException {
        running.countDown();
        end.await();
        return new Payment(made.incrementAndGet(), "slow");
    }

    @PostMapping("/async")
    Callable<Payment> async() {
        return () -> new Payment(made.incrementAndGet(), "async");
    }

    @PostMapping("/form")
    Payment form(@RequestParam("amount") String amount) {
        return new Payment(made.incrementAndGet(), amount);
    }

    @PostMapping("/upload")
    Payment upload(@RequestParam("file") MultipartFile file) {
        return new Payment(made.incrementAndGet(), file.getSize() + " bytes");
    }

    @PostMapping("/large")
    String large() {
        made.incrementAndGet();
        return "x".repeat(2_000_000);
    }

    @PostMapping("/failing")
    Payment failing() {
        made.incrementAndGet();
        throw new IllegalStateException("expected");
    }

    @PostMapping("/unavailable")
    ResponseEntity<String> unavailable() {
        made.incrementAndGet();
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body("later");
    }

    @PostMapping("/refused")
    Payment refused() {
        made.incrementAndGet();
        throw new ResponseStatusException(HttpStatus.CONFLICT, "no money");
    }
}
