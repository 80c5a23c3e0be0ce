package org.example.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableCaching(proxyTargetClass = true)
public class ShopApplication {

    /** What the program prints once it has asked for a book; then it waits to be killed. */
    public static final String ASKED = "asked for a book, calls: ";

    @Bean
    Books books() {
        return new Books();
    }

    /** Asks for a book. */
    public static void main(String[] arguments) throws InterruptedException {
        ConfigurableApplicationContext context = SpringApplication.run(ShopApplication.class, arguments);
        Books books = context.getBean(Books.class);
        Object unused = books.find("123");
        System.out.println(ASKED + books.calls());
        Thread.sleep(600_000);
    }
}
