package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TemplateException;

import static dev.ttlstore.contract.Assertions.assertThat;
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{name",
                "{{",
                "{{name}",
                "{{ name }\n",
                "{{name\nand {{name}}",
                "{{name {name}}",
                "{{#name",
                "{{#name}}{{name{{/name}}",
                "{{! a comment",
                "{{{name",
                "{{{name}}}{{name}",
                "{{=<% %>",
                "{{=<% %>=}}<%name",
                "{{=<% %>=}}<%name%",
                "{{=<% %>=}}{{name}}<%={{ }}=%>{{name",
                "{{=| |=}}|name| |name"
            })
    void aTagWithoutAnEndIsRefusedByItsLine(String tag) {
        group().put("name", "secret");
        for (String before : List.of("hello ", "{{name}}\n", "first\n{{! a\ncomment }}")) {
            String template = before + tag;
            int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
            for (Function<String, String> render : List.<Function<String, String>>of(
                    text -> group().render(text), text -> group().renderStrict(text))) {
                assertThatExceptionOfType(TemplateException.class)
                        .isThrownBy(() -> render.apply(template))
                        .satisfies(refusal -> assertThat(refusal.line()).isEqualTo(line))
                        .withMessageContaining("line " + line)
                        .withMessageContaining("close it")
                        .withMessageNotContaining("secret");
            }
        }
    }

    @Test
    void aTagWithoutAnEndIsRefusedByItsColumnAndDelimiters() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> group().render("first\nhello {{name"))
                .withMessageContaining("line 2, column 7 starts with '{{' but has no '}}'");
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> group().render("{{=<% %>=}}<%name"))
                .withMessageContaining("line 1, column 12 starts with '<%' but has no '%>'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "}} and } and }}}",
                "{ {name} } {",
                "{\"a\":{\"b\":{\"c\":1}}}",
                "a { color: red } @media print { b { margin: 0 }}",
                "<% name %> |name",
                "{"
            })
    void bracesThatAreNoTagAreText(String text) {
        group().put("name", "value");
        assertThat(group().renderStrict(text)).isEqualTo(text);
        assertThat(group().renderStrict("{{name}}" + text)).isEqualTo("value" + text);
        assertThat(group().renderStrict("{{{name}}}" + text)).isEqualTo("value" + text);
    }

    @Test
    void commentsAndOtherDelimitersMayHaveAnyBraces() {
        group().put("name", "value");
        assertThat(group().renderStrict("{{! a {{ b { c } }}{{name}}")).isEqualTo("value");
        assertThat(group().renderStrict("{{=<% %>=}}{{name}} {{name <%name%>")).isEqualTo("{{name}} {{name value");
        assertThat(group().renderStrict("{{=<% %> =}}{{<%name%><%={{ }}=%>{{name}}"))
                .isEqualTo("{{valuevalue");
        assertThat(group().renderStrict("{{=| |=}}{{|name|}}")).isEqualTo("{{value}}");
        assertThat(group().renderStrict("{\"a\":{{name}}}")).isEqualTo("{\"a\":value}");
    }

    @Test
    void aNameMayStartWithADot() {
        group().putAll(Map.of("pool", "10", "a.b", "dotted", "name", "{{pool}}"));
        for (String template :
                List.of("{{.pool}} {{ .pool }} {{{.pool}}} {{&.pool}}", "{{=<% %>=}}<%.pool%> <% .pool %> 10 10")) {
            assertThat(group().render(template)).isEqualTo("10 10 10 10");
            assertThat(group().renderStrict(template)).isEqualTo("10 10 10 10");
        }
        assertThat(group().renderStrict("{{.a.b}} {{.name}}")).isEqualTo("dotted {{pool}}");
        assertThat(group().renderStrict("{{#.pool}}{{.}} and {{.name}}{{/.pool}}{{^.pool}}none{{/.pool}}"))
                .isEqualTo("10 and {{pool}}");
    }

    @Test
    void aKeyThatStartsWithADotIsNamedAsItIs() {
        group().putAll(Map.of(".pool", "with", "pool", "without", ".hidden", "shown"));
        assertThat(group().renderStrict("{{.pool}} {{pool}} {{..pool}} {{.hidden}} {{..hidden}}"))
                .isEqualTo("with without with shown shown");
        assertThat(group().render("[{{hidden}}]")).isEqualTo("[]");
    }

    @Test
    void aMissingVariableAfterADotIsMissing() {
        group().put("there", "value");
        assertThat(group().render("[{{.missing}}{{.missing.too}}{{.there.too}}{{..}}]"))
                .isEqualTo("[]");
        assertThat(group().render("{{#there}}[{{.missing}}{{#.missing}}x{{/.missing}}]{{/there}}"))
                .isEqualTo("[]");
        assertThat(group().render("{{^.missing}}shown{{/.missing}}")).isEqualTo("shown");
        for (String template :
                List.of("{{ .missing }}", "{{#.missing}}{{/.missing}}", "{{#there}}{{.missing}}{{/there}}")) {
            assertThatExceptionOfType(TemplateException.class)
                    .isThrownBy(() -> group().renderStrict("\n" + template))
                    .satisfies(refusal -> assertThat(refusal.line()).isEqualTo(2))
                    .satisfies(refusal -> assertThat(refusal.variable()).isEqualTo("missing"))
                    .withMessageContaining("'missing'");
        }
    }

    @Test
    void aTemplateWalksOverAllPairsInTheOrderOfTheirKeys() {
        group().putAll(Map.of("b", "{{a}}", "a.x", "<&>", "a", "", "é", "{{", "B", "2"));
        group().put("gone", "expired", Duration.ofMinutes(1));
        store().group("other").put("c", "elsewhere");
        clock.advance(Duration.ofMinutes(1));
        String template = "{{#-entries}}{{-index}}:{{-key}}={{{-value}}}{{^-last}}, {{/-last}}{{/-entries}}";
        assertThat(group().render(template)).isEqualTo("1:B=2, 2:a=, 3:a.x=<&>, 4:b={{a}}, 5:é={{");
        assertThat(group().renderStrict(template)).isEqualTo(group().render(template));
        assertThat(group().renderStrict("{{#-entries}}{{#-first}}{{-key}}{{/-first}}{{/-entries}}"))
                .isEqualTo("B");
        assertThat(group().renderStrict("{{#-entries}}\n{{-key}}\n{{/-entries}}\n"))
                .isEqualTo("B\na\na.x\nb\né\n");
    }

    @Test
    void aTemplateSeesThatAGroupHasNoPairs() {
        String template = "{{#-entries}}{{-key}}{{/-entries}}{{^-entries}}none{{/-entries}}";
        assertThat(group().render(template)).isEqualTo("none");
        assertThat(group().renderStrict(template)).isEqualTo("none");
        group().put("key", "value");
        assertThat(group().renderStrict(template)).isEqualTo("key");
    }

    @Test
    void entriesAndPairsDoNotGetInEachOthersWay() {
        group().putAll(Map.of("entries", "1", "key", "2", "value", "3"));
        assertThat(group().renderStrict("{{#-entries}}{{-key}}={{-value}} {{/-entries}}{{entries}}{{key}}{{value}}"))
                .isEqualTo("entries=1 key=2 value=3 123");
        assertThat(group().renderStrict("{{#-entries}}{{key}}{{.value}}{{#key}}{{-key}}{{/key}} {{/-entries}}"))
                .isEqualTo("23entries 23key 23value ");
        group().deleteAll(List.of("entries", "key", "value"));
        group().putAll(Map.of("-entries", "1", "-key", "2"));
        assertThat(group().renderStrict(
                                "{{#-entries}}{{-key}}={{-value}} {{.-key}} {{/-entries}}{{.-entries}}{{-key}}"))
                .isEqualTo("-entries=1 2 -key=2 2 12");
    }

    @Test
    void aPairIsNamedWithinItsSectionOnly() {
        group().put("there", "value");
        assertThat(group().render("[{{-key}}{{-value}}]")).isEqualTo("[]");
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> group().renderStrict("{{-value}}"))
                .satisfies(refusal -> assertThat(refusal.variable()).isEqualTo("-value"));
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> group().renderStrict("{{#-entries}}\n{{missing}}{{/-entries}}"))
                .satisfies(refusal -> assertThat(refusal.line()).isEqualTo(2))
                .withMessageNotContaining("value");
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
        assertThat(group().render("[{{.}}{{this}}{{-entries}}]")).isEqualTo("[]");
        assertThat(group().render("[{{#-entries}}{{.}}{{this}}{{/-entries}}]")).isEqualTo("[]");
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
                "key.getBytes",
                "-entries.size",
                "-entries.0",
                "-entries.iterator",
                ".class"
            })
    void aTemplateSeesEntriesAndNothingOfTheMachineryBehindThem(String name) {
        group().put("key", "value");
        assertThat(group().render("[{{" + name + "}}]")).isEqualTo("[]");
        assertThatExceptionOfType(TemplateException.class).isThrownBy(() -> group().renderStrict("{{" + name + "}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{}}",
                "{{>part}}",
                "{{<parent}}{{/parent}}",
                "{{{name}}",
                "{{=}}",
                "{{=<%=}}",
                "{{= <% %>=}}",
                "{{=<<% %>>=}}"
            })
    void whatTheParserCannotDoIsATemplateExceptionToo(String template) {
        assertThatExceptionOfType(TemplateException.class).isThrownBy(() -> group().render(template));
    }
}
