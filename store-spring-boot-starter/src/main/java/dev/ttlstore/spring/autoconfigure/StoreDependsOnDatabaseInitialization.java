package dev.ttlstore.spring.autoconfigure;

import java.util.Set;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.env.Environment;

/**
 * Opens a store in a database after Flyway, Liquibase or Spring Boot's scripts have prepared that database. They may also create
 * the tables of a store that does not create them itself.
 */
final class StoreDependsOnDatabaseInitialization implements DependsOnDatabaseInitializationDetector {

    private final Environment environment;

    StoreDependsOnDatabaseInitialization(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Set<String> detect(ConfigurableListableBeanFactory beans) {
        if (!beans.containsBeanDefinition(StoreAutoConfiguration.STORE)) {
            return Set.of();
        }
        if (StoreCopyCommand.isAsked(environment)) {
            return Set.of(StoreAutoConfiguration.COPY);
        }
        return EngineChoice.in(environment).isShared() ? Set.of(StoreAutoConfiguration.STORE) : Set.of();
    }
}
