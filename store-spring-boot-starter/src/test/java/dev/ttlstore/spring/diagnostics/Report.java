package dev.ttlstore.spring.diagnostics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is printed when an application does not start.
 *
 * @param description what is wrong
 * @param action what to do
 */
record Report(String description, String action) {

    private static final Pattern FORM = Pattern.compile(
            "APPLICATION FAILED TO START\\R\\*+\\R\\RDescription:\\R\\R(.*?)\\R\\RAction:\\R\\R(.*?)\\R",
            Pattern.DOTALL);

    static Report in(CharSequence output) {
        Matcher report = FORM.matcher(output);
        assertThat(report.find()).as("a report with an action in: %s", output).isTrue();
        assertThat(output.subSequence(report.start(), output.length()))
                .as("the report stands for the stack trace")
                .doesNotContain("\tat dev.ttlstore");
        return new Report(report.group(1), report.group(2));
    }
}
