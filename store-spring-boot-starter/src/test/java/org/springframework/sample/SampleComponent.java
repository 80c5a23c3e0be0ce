package org.springframework.sample;

import java.util.List;

import org.springframework.stereotype.Component;

import dev.ttlstore.spring.expiry.OnExpiry;

/**
 * A component of an application whose package begins as those of Spring itself do.
 *
 * @param told where it notes what it is told
 */
@Component
public record SampleComponent(List<Object> told) {

    @OnExpiry(subscriber = "sample", group = "samples")
    void onExpired(String value) {
        told.add("sample " + value);
    }
}
