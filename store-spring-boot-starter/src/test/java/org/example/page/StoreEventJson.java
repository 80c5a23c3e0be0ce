package org.example.page;

import org.springframework.boot.jackson.JacksonMixin;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.ttlstore.event.StoreEvent;

// The example of the page about events, as it stands there.
@JacksonMixin(StoreEvent.class)
interface StoreEventJson {

    @JsonProperty
    String type();
}
