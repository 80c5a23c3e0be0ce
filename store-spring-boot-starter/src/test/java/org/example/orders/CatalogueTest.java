package org.example.orders;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;

import static org.assertj.core.api.Assertions.assertThat;

/** The application below a context that is shared with others. */
@SpringBootTest
@ContextHierarchy({
    @ContextConfiguration(classes = CatalogueTest.Catalogue.class),
    @ContextConfiguration(classes = OrdersApplication.class)
})
class CatalogueTest {

    @Autowired
    private ApplicationContext context;

    @Autowired
    private String title;

    @Test
    void theCatalogueIsThatOfTheParent() {
        assertThat(title).isEqualTo("Autumn");
        assertThat(context.getParent()).isNotNull();
        assertThat(context.containsLocalBean("title")).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Catalogue {

        @Bean
        String title() {
            return "Autumn";
        }
    }
}
