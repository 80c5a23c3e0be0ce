package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TemplateException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Texts in parts, and templates that are filled in with texts. */
@Promise(1)
abstract class TextContract extends ContractArea {

    @Test
    void aTextIsSplitAtASeparatorThatIsNoPattern() {
        group().put("key", "a.b..c.");
        assertThat(group().split("key", ".")).contains(List.of("a", "b", "", "c", ""));
        assertThat(group().split("key", "..")).contains(List.of("a.b", "c."));
        assertThat(group().split("key", "|")).contains(List.of("a.b..c."));
        group().put("key", "");
        assertThat(group().split("key", ".")).contains(List.of(""));
        group().put("key", ".");
        assertThat(group().split("key", ".")).contains(List.of("", ""));
    }

    @Test
    void aTextIsSplitAtWhiteSpaceIntoFieldsThatAreNotEmpty() {
        group().put("key", "  a b\t\tc\r\nd  ");
        assertThat(group().fields("key")).contains(List.of("a", "b", "c", "d"));
        group().put("key", " \n ");
        assertThat(group().fields("key")).contains(List.of());
        group().put("key", "");
        assertThat(group().fields("key")).contains(List.of());
        group().put("key", "one");
        assertThat(group().fields("key")).contains(List.of("one"));
    }

    @ParameterizedTest
    @EnumSource
    void anEntryThatIsNotLiveHasNoPartsAndNoPlaceInATemplate(Standing standing) {
        standing.prepare(this);
        assertThat(group().split("key", ",").isPresent()).isEqualTo(standing.isLive());
        assertThat(group().fields("key").isPresent()).isEqualTo(standing.isLive());
        assertThat(group().render("[{{key}}]")).isEqualTo(standing.isLive() ? "[value]" : "[]");
        assertThat(group().render("{{#key}}there{{/key}}{{^key}}not there{{/key}}"))
                .isEqualTo(standing.isLive() ? "there" : "not there");
        if (!standing.isLive()) {
            assertThatExceptionOfType(TemplateException.class).isThrownBy(() -> group().renderStrict("{{key}}"));
        }
    }

    @Test
    void badArgumentsAreRefusedByTheirName() {
        group().put("key", "value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().split("key", ""))
                .withMessageContaining("'separator'");
        assertThatNullPointerException()
                .isThrownBy(() -> group().split("key", nothing()))
                .withMessage("'separator' must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> group().render(nothing()))
                .withMessage("'template' must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> group().renderStrict(nothing()))
                .withMessage("'template' must not be null");
        assertThatIllegalArgumentException().isThrownBy(() -> group().fields(""));
    }

    @Test
    void aTemplateIsFilledInWithTheTextsAsTheyAre() {
        group().putAll(Map.of("name", "<b>\"O'Neil\" & Söhne</b>", "empty", "", "quote", "{{name}}"));
        assertThat(group().render("Dear {{name}}{{empty}}!")).isEqualTo("Dear <b>\"O'Neil\" & Söhne</b>!");
        assertThat(group().render("{{{name}}}")).isEqualTo("<b>\"O'Neil\" & Söhne</b>");
        assertThat(group().render("{{quote}}")).isEqualTo("{{name}}");
        assertThat(group().render("no variable\n")).isEqualTo("no variable\n");
        assertThat(group().render("")).isEmpty();
        assertThat(group().renderStrict("Dear {{name}}{{empty}}!")).isEqualTo("Dear <b>\"O'Neil\" & Söhne</b>!");
    }

    @Test
    void aMissingVariableIsNothing() {
        group().put("there", "value");
        assertThat(group().render("[{{missing}}][{{there}}]")).isEqualTo("[][value]");
        assertThat(group().render("{{#missing}}hidden{{/missing}}{{^missing}}shown{{/missing}}"))
                .isEqualTo("shown");
        assertThat(group().render("[{{missing.too}}][{{there.too}}]")).isEqualTo("[][]");
    }

    @Test
    void aMissingVariableIsRefusedOnRequestByItsLineAndName() {
        group().put("there", "value");
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> group().renderStrict("{{there}}\n\n and {{missing}}"))
                .satisfies(refusal -> assertThat(refusal.line()).isEqualTo(3))
                .satisfies(refusal -> assertThat(refusal.variable()).isEqualTo("missing"))
                .withMessageContaining("'missing'")
                .withMessageContaining("line 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{{#missing}}x{{/missing}}", "{{^missing}}x{{/missing}}", "{{missing.too}}", "{{there.too}}"})
    void aMissingVariableOfASectionOrWithADotIsRefusedOnRequestToo(String template) {
        group().put("there", "value");
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> group().renderStrict("\n" + template))
                .satisfies(refusal -> assertThat(refusal.line()).isEqualTo(2))
                .satisfies(refusal -> assertThat(refusal.variable()).isNotNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{#open}}", "{{#a}}{{/b}}", "{{/close}}", "{{#a}}\n{{#b}}{{/a}}{{/b}}"})
    void aMalformedTemplateIsRefusedByItsLine(String template) {
        for (String before : List.of("", "first\n", "first\nsecond\n")) {
            int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
            assertThatExceptionOfType(TemplateException.class)
                    .isThrownBy(() -> group().render(before + template))
                    .satisfies(refusal -> assertThat(refusal.line()).isBetween(line, line + 1))
                    .isInstanceOf(StoreException.class);
        }
    }

    @Test
    void aKeyWithDotsIsAVariableToo() {
        group().putAll(Map.of("a.b", "dotted", "mail.from.name", "Ann", "a", "plain"));
        assertThat(group().render("{{a.b}} {{mail.from.name}} {{a}}")).isEqualTo("dotted Ann plain");
        assertThat(group().renderStrict("{{a.b}} {{mail.from.name}} {{a}}")).isEqualTo("dotted Ann plain");
        assertThat(group().render("{{#a.b}}there{{/a.b}}{{^a.c}}, not there{{/a.c}}"))
                .isEqualTo("there, not there");
    }

    @Test
    void aSectionIsShownWhereThereIsAText() {
        group().put("banner", "hello", Duration.ofMinutes(10));
        String template = "{{#banner}}<p>{{banner}}</p>{{/banner}}{{^banner}}nothing{{/banner}}";
        assertThat(group().render(template)).isEqualTo("<p>hello</p>");
        clock.advance(Duration.ofMinutes(10));
        assertThat(group().render(template)).isEqualTo("nothing");
    }

    @Test
    void aTemplateDoesNotGetAllEntriesAtOnce() {
        group().put("key", "secret");
        assertThat(group().render("[{{.}}{{this}}]")).isEqualTo("[]");
    }

    @Test
    void aTemplateSeesItsOwnGroupAlone() {
        group().put("key", "here");
        store().group("other").put("secret", "elsewhere");
        assertThat(group().render("{{key}}{{secret}}{{other.secret}}")).isEqualTo("here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class",
                "size",
                "isEmpty",
                "getClass",
                "entrySet",
                "toString",
                "length",
                "key.class",
                "key.length",
                "key.getBytes"
            })
    void aTemplateSeesEntriesAndNothingOfTheMachineryBehindThem(String name) {
        group().put("key", "value");
        assertThat(group().render("[{{" + name + "}}]")).isEqualTo("[]");
        assertThatExceptionOfType(TemplateException.class).isThrownBy(() -> group().renderStrict("{{" + name + "}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{}}", "{{>part}}", "{{<parent}}{{/parent}}"})
    void whatTheParserCannotDoIsATemplateExceptionToo(String template) {
        assertThatExceptionOfType(TemplateException.class).isThrownBy(() -> group().render(template));
    }
}
