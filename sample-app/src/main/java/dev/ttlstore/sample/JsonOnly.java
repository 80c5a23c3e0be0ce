package dev.ttlstore.sample;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The sample answers in JSON, whatever a client says that it accepts. To find out only afterwards that an answer is not
 * acceptable would burn a secret that nobody gets to see.
 */
@Configuration(proxyBeanMethods = false)
class JsonOnly implements WebMvcConfigurer {

    @Override
    public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
        configurer.ignoreAcceptHeader(true).defaultContentType(MediaType.APPLICATION_JSON);
    }
}
