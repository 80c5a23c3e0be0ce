package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.test.context.junit.jupiter.SpringExtension;

import dev.ttlstore.sample.Nodes;
import dev.ttlstore.sample.TemporaryStore;

/** Hands the one browser to the tests, as new, and has each end with the check that nothing went wrong in it unseen. */
final class BrowserExtension implements ExecutionCondition, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace BROWSER = Namespace.create(BrowserExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (Chromium.find().isPresent()) {
            return ConditionEvaluationResult.enabled("There is a browser");
        }
        String reason = "There is no chromium or no chromedriver on the PATH:"
                + " what people see is not tested (Debian, Ubuntu: apt install chromium chromium-driver)";
        if (Boolean.parseBoolean(System.getenv("BROWSER_REQUIRED"))) {
            throw new IllegalStateException(reason);
        }
        // Surefire names the reason only in its report.
        System.out.println("SKIPPED " + context.getDisplayName() + ": " + reason);
        return ConditionEvaluationResult.disabled(reason);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        browser(context)
                .reset(Nodes.of(SpringExtension.getApplicationContext(context)).port());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isEmpty()) {
            browser(context).assertNothingWentWrong();
        } else {
            browser(context)
                    .screenshot("failed-" + context.getRequiredTestMethod().getName());
        }
        browser(context).leave();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Browser.class;
    }

    @Override
    public Browser resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return browser(context);
    }

    /** JUnit closes it when all tests have run. */
    private static Browser browser(ExtensionContext context) {
        return context.getRoot()
                .getStore(BROWSER)
                .computeIfAbsent(
                        Browser.class,
                        unused -> new Browser(Chromium.find().orElseThrow().start(TemporaryStore.folder())),
                        Browser.class);
    }
}
