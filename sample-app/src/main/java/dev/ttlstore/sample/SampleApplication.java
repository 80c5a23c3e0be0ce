package dev.ttlstore.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts the sample. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SampleApplication {

    SampleApplication() {}

    /**
     * Starts the sample.
     *
     * @param arguments properties, such as {@code --store.path=…}
     */
    public static void main(String[] arguments) {
        SpringApplication.run(SampleApplication.class, arguments);
    }
}
