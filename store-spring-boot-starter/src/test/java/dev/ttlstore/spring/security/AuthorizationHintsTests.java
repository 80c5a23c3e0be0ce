package dev.ttlstore.spring.security;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.javapoet.ClassName;
import org.springframework.security.oauth2.server.authorization.JdbcOAuth2AuthorizationService;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

/** What a native image is told to keep for stored authorizations. */
class AuthorizationHintsTests {

    private final RuntimeHints hints = new RuntimeHints();

    @BeforeEach
    void register() {
        new AuthorizationHints().registerHints(hints, getClass().getClassLoader());
    }

    @Test
    void theHintsAreThoseOfTheAutoConfigurations() {
        for (Class<?> configuration :
                List.of(StoreAuthorizationsAutoConfiguration.class, StoreOidcSessionsAutoConfiguration.class)) {
            assertThat(requireNonNull(configuration.getAnnotation(ImportRuntimeHints.class))
                            .value())
                    .containsExactly(AuthorizationHints.class);
        }
    }

    @Test
    void whatIsStoredIsReadAndWritten() {
        for (Class<?> type : List.of(StoredAuthorization.class, StoredToken.class)) {
            Constructor<?> constructor = type.getDeclaredConstructors()[0];
            assertThat(reflection().onConstructorInvocation(constructor)).accepts(hints);
            assertThat(List.of(type.getRecordComponents()))
                    .allSatisfy(component -> assertThat(reflection().onMethodInvocation(component.getAccessor()))
                            .accepts(hints));
        }
    }

    /** Spring Security knows what its JDBC implementation reads, which is the same. */
    @Test
    void everythingIsKeptThatSpringSecurityKeepsForItsOwnImplementation() {
        Set<String> ofSpringSecurity = ofSpringSecurity()
                .reflection()
                .typeHints()
                .map(hint -> hint.getType().getName())
                .filter(name -> !name.contains("jackson2"))
                .collect(Collectors.toSet());
        assertThat(ofSpringSecurity).hasSizeGreaterThan(30);
        assertThat(hints.reflection().typeHints().map(hint -> hint.getType().getName()))
                .containsAll(ofSpringSecurity);
    }

    private static RuntimeHints ofSpringSecurity() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition("service", new RootBeanDefinition(JdbcOAuth2AuthorizationService.class));
        DefaultGenerationContext context = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("org.example", "Application")), new InMemoryGeneratedFiles());
        for (BeanRegistrationAotProcessor processor :
                AotServices.factories().load(BeanRegistrationAotProcessor.class)) {
            if (processor.getClass().getName().contains("OAuth2AuthorizationServer")) {
                BeanRegistrationAotContribution contribution =
                        requireNonNull(processor.processAheadOfTime(RegisteredBean.of(beans, "service")));
                contribution.applyTo(context, mock(BeanRegistrationCode.class));
            }
        }
        return context.getRuntimeHints();
    }

    /** A name that is there no longer would be passed over in silence. */
    @Test
    void everyNameIsThatOfAClass() {
        assertThat(AuthorizationHints.names()).hasSizeGreaterThan(40).allSatisfy(name -> assertThat(Class.forName(name))
                .isNotNull());
    }

    @Test
    void modulesCanBeCreated() {
        assertThat(hints.reflection().typeHints())
                .filteredOn(hint -> hint.getType().getName().endsWith("JacksonModule"))
                .hasSize(6)
                .extracting(TypeHint::getMemberCategories)
                .allSatisfy(categories -> assertThat(categories).contains(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
    }
}
