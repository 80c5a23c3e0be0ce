package dev.ttlstore.sample.browser;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/** A secret from its sender to its receiver. */
@BrowserTest
@Tag("page")
class SecretPageTests {

    private static final DateTimeFormatter READABLE = DateTimeFormatter.ofPattern("MMM d, hh:mm", Locale.US);

    @Test
    void whatNeverWasIsAsWhatIsGone(Browser browser) {
        browser.open("/reveal#once/AAAAAAAAAAAAAAAAAAAAAAAA");
        browser.see("#gone");
        browser.follow(browser.root() + "/reveal");
        browser.see("#gone");
    }

    @Test
    void timesAreThoseOfTheReader(Browser browser) {
        SecretPage.open(browser, "zoned");
        String link = SecretPage.create(browser, "hunter2", "P7D");
        Instant end = Instant.parse(browser.run("created.expiresAt").toString());
        for (String zone : List.of("Pacific/Auckland", "America/Los_Angeles")) {
            browser.zone(zone);
            browser.follow(link);
            browser.seeText("#state", READABLE.format(end.atZone(ZoneId.of(zone))));
        }
    }

    @Test
    void theLinkIsCopied(Browser browser) {
        browser.command(
                "Browser.grantPermissions",
                Map.of(
                        "origin",
                        browser.root(),
                        "permissions",
                        List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        SecretPage.open(browser, "copied");
        String link = SecretPage.create(browser, "hunter2", "PT5M");
        browser.click("#copy");
        browser.seeText("#copied", "copied");
        assertThat(browser.runAsync("navigator.clipboard.readText().then(arguments[0])"))
                .isEqualTo(link);
    }

    @Test
    void ofTwoWindowsOneGetsTheSecret(Browser browser) {
        SecretPage.open(browser, "raced");
        String link = SecretPage.create(browser, "hunter2", "PT1H");
        List<String> windows = List.of(browser.openWindow(link), browser.openWindow(link));
        windows.forEach(window -> {
            browser.switchTo(window);
            SecretPage.waits(browser);
        });
        Object now = browser.run("Date.now() + 500");
        windows.forEach(window -> {
            browser.switchTo(window);
            browser.run("setTimeout(() => document.querySelector('#reveal').click(), arguments[0] - Date.now())", now);
        });
        List<Boolean> won = windows.stream()
                .map(window -> {
                    browser.switchTo(window);
                    return browser.see("#secret, #gone").getText().equals("hunter2");
                })
                .toList();
        assertThat(won).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void itsExpiryIsSeenOnEveryOpenPage(Browser browser) {
        SecretPage.open(browser, "expiring");
        String sender = browser.window();
        SecretPage.offer(browser, 3);
        String link = SecretPage.create(browser, "hunter2", "PT3S");
        String receiver = browser.openWindow(link);
        String team = browser.openWindow(browser.root() + "/teams/expiring");
        browser.seeText("#activity", "created");
        browser.seeText("#activity", "expired unread");
        browser.switchTo(receiver);
        browser.see("#gone");
        browser.switchTo(sender);
        browser.seeText("#countdown", "expired");
        browser.seeCount("#sent > li", 0);
        assertThat(team).isNotEqualTo(sender);
    }

    @Test
    void theSenderExtendsItAndAReloadKeepsTheList(Browser browser) {
        SecretPage.open(browser, "extended");
        SecretPage.create(browser, "hunter2", "PT1H");
        SecretPage.create(browser, "hunter3", "PT8H");
        browser.seeCount("#sent > li", 2);
        Instant before = ends(browser);
        browser.click("#sent > li button.extend");
        browser.seeText("#sent-status", "extended");
        browser.until("the end is later", () -> ends(browser).equals(before.plus(Duration.ofHours(1))));
        browser.reload();
        browser.seeCount("#sent > li", 2);
        assertThat(ends(browser)).isEqualTo(before.plus(Duration.ofHours(1)));
    }

    @Test
    void noExtensionIsOfferedThatTheServerRefuses(Browser browser) {
        SecretPage.open(browser, "acme");
        SecretPage.create(browser, "hunter2", "P7D");
        browser.seeCount("#sent > li", 1);
        browser.seeNo("#sent > li .group");
        SecretPage.create(browser, "hunter3", "P1D");
        browser.seeCount("#sent > li", 2);
        browser.choose("#sent > li .by", "P1D");
        browser.click("#sent > li button.extend");
        browser.seeText("#sent-status", "extended");
    }

    @Test
    void whatIsInvalidIsCalledAsPeopleCallIt(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.click("#options > summary");
        browser.run("document.querySelector('#views').add(new Option('99', '99', true, true)) ?? true");
        browser.type("#value", "hunter4");
        browser.click("#create");
        browser.seeText("#problem", "the number of readers must be 1 to 20");
    }

    @Test
    void afterASecretForAnotherTeamThePageIsThatTeams(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.seeText("#sent-none", "for team acme");
        browser.type("#team", "globex");
        SecretPage.create(browser, "hunter2", "PT1H");
        browser.seeCount("#sent > li", 1);
        assertThat(browser.text("nav")).contains("Team globex").doesNotContain("acme");
        browser.reload();
        assertThat(browser.value("#team")).isEqualTo("globex");
        browser.seeCount("#sent > li", 1);
    }

    @Test
    void theFocusStaysInTheListThatIsRenewed(Browser browser) {
        SecretPage.open(browser, SampleTest.SMALL_TEAM);
        SecretPage.create(browser, "hunter2", "PT1H");
        SecretPage.create(browser, "hunter3", "PT8H");
        browser.seeCount("#sent > li", 2);
        Instant before = ends(browser);
        browser.tabTo("#sent > li button.extend");
        browser.press(Keys.ENTER);
        browser.until("the end is later", () -> ends(browser).isAfter(before));
        assertThat(browser.hasFocus("#sent > li button.extend")).isTrue();
        SecretPage.create(browser, "hunter4", "PT1H");
        browser.seeCount("#sent > li", 3);
        browser.tabTo("#sent > li:nth-child(2) button.delete");
        browser.press(Keys.ENTER);
        browser.answerQuestion(true);
        browser.seeCount("#sent > li", 2);
        assertThat(browser.hasFocus("#sent-title")).isTrue();
    }

    @Test
    void theSenderDeletesItAfterAQuestion(Browser browser) {
        SecretPage.open(browser, "acme");
        String link = SecretPage.create(browser, "hunter2", "PT1H");
        browser.click("#sent > li button.delete");
        assertThat(browser.answerQuestion(false)).contains("ends in " + link.substring(link.length() - 4));
        browser.seeCount("#sent > li", 1);
        SecretPage.delete(browser);
        browser.seeCount("#sent > li", 0);
        browser.seeText("#countdown", "you deleted it");
        browser.seeText("#created-title", "no longer works");
        browser.seeNo("#link, #copy");
        Screens.take(browser, "deleted");
        browser.follow(link);
        browser.see("#gone");
    }

    /** The page asks for its list whenever it gets the focus, as it does when its question is answered. */
    @Test
    void aDeletionIsToldAlthoughTheListArrivesFirst(Browser browser) {
        SecretPage.open(browser, "acme");
        SecretPage.create(browser, "hunter2", "PT1H");
        SecretPage.overtakeNext(browser, "/page/delete");
        SecretPage.delete(browser);
        browser.seeText("#sent-status", "It was deleted");
        assertThat(browser.text("#countdown")).isEqualTo("You deleted it.");
    }

    @Test
    void aDeletionBesideTheFormIsNotToldOfTheNextLink(Browser browser) {
        SecretPage.open(browser, "acme");
        SecretPage.create(browser, "hunter2", "PT1H");
        browser.click("#another");
        SecretPage.delete(browser);
        browser.seeText("#sent-status", "It was deleted");
        assertThat(browser.run("$('countdown').textContent").toString()).doesNotContain("deleted");
    }

    @Test
    void theRowsOfTheListAreToldApart(Browser browser) {
        SecretPage.open(browser, "acme");
        SecretPage.create(browser, "hunter2", "PT1H");
        browser.click("#another");
        browser.click("#options > summary");
        browser.type("#label", "Wi-Fi for guests");
        String link = SecretPage.create(browser, "hunter3", "PT1H");
        String end = link.substring(link.length() - 4);
        browser.seeCount("#sent > li", 2);
        assertThat(browser.text("#sent > li:first-child")).contains("Wi-Fi for guests", "…" + end, "Created");
        assertThat(browser.text("#sent > li:last-child")).doesNotContain("Wi-Fi", end);
        assertThat(browser.see("#sent > li:first-child button.delete").getAccessibleName())
                .contains("Delete", "Wi-Fi for guests", end);
        assertThat(browser.see("#sent > li:last-child button.delete").getAccessibleName())
                .doesNotContain("Wi-Fi", end);
        browser.reload();
        browser.seeText("#sent > li:first-child", "Wi-Fi for guests");
        Screens.take(browser, "list");
    }

    /** Other applications of the same address, as on localhost, share the browser's storage. */
    @Test
    void aForeignNoteInTheBrowserDoesNotHideTheLink(Browser browser) {
        SecretPage.open(browser, "acme");
        for (String foreign : List.of("[null]", "{\"x\": null}", "7", "{")) {
            browser.run("localStorage.setItem('sent-secrets', '" + foreign + "') || true");
            SecretPage.create(browser, "hunter2", "PT1H");
            browser.click("#another");
        }
    }

    @Test
    void theLabelOfADeletedSecretIsForgotten(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.click("#options > summary");
        browser.type("#label", "Wi-Fi for guests");
        SecretPage.create(browser, "hunter2", "PT1H");
        browser.seeCount("#sent > li", 1);
        SecretPage.delete(browser);
        browser.seeCount("#sent > li", 0);
        assertThat(browser.run("JSON.stringify(localStorage)").toString()).doesNotContain("Wi-Fi");
    }

    @Test
    void aTypingErrorInTheTeamCreatesNoTeam(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.type("#value", "hunter2");
        browser.type("#team", "acmee");
        browser.click("#create");
        browser.seeText("#problem", "there is no team acmee yet");
        Screens.take(browser, "new-team");
        browser.seeNo("#created");
        browser.type("#team", "acme");
        browser.seeNo("#new-team");
        browser.click("#create");
        browser.see("#created");
        browser.open("/teams/acmee");
        browser.see("#quiet");
    }

    @Test
    void theReceiverSeesThatThePageLooksTheSecretUpAndNothingForOthers(Browser browser) {
        SecretPage.open(browser, "acme");
        String link = SecretPage.create(browser, "hunter2", "PT1H");
        browser.follow(link);
        SecretPage.waits(browser);
        assertThat(browser.text("nav")).doesNotContain("Operator");
        SecretPage.holdNext(browser, "/page/look");
        browser.run("location.hash += '.'");
        browser.seeText("#state", "looking up the secret");
        browser.seeNo("#reveal");
        SecretPage.open(browser, "acme");
        assertThat(browser.text("nav")).contains("Operator");
    }

    @Test
    void aFullStopAfterALinkIsNotPartOfIt(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.follow(SecretPage.create(browser, "hunter2", "PT1H") + ".");
        SecretPage.waits(browser);
        browser.click("#reveal");
        browser.seeText("#secret", "hunter2");
    }

    @Test
    void theLinkStandsAloneSoThatNoOldLinkIsUnderANewProblem(Browser browser) {
        SecretPage.open(browser, SampleTest.SMALL_TEAM);
        SecretPage.create(browser, "hunter2", "PT1H");
        browser.seeNo("#compose");
        assertThat(browser.hasFocus("#created-title")).isTrue();
        assertThat(browser.see("#copy").getDomAttribute("class")).contains("primary");
        browser.click("#another");
        browser.seeNo("#created");
        assertThat(browser.hasFocus("#value")).isTrue();
        browser.type("#value", "x".repeat(2_000));
        browser.click("#create");
        browser.seeText("#problem", "1 KB");
        browser.seeNo("#link");
    }

    @Test
    void beyondTheQuotaThePageTellsTheLimitAndKeepsWhatWasTyped(Browser browser) {
        SecretPage.open(browser, "full");
        SecretPage.create(browser, "hunter1", "PT1H");
        SecretPage.create(browser, "hunter2", "PT1H");
        browser.seeCount("#sent > li", 2);
        browser.click("#another");
        browser.type("#value", "hunter3");
        browser.click("#create");
        browser.seeText("#problem", "may have 2 unread secrets.*expires, at .*\\d+:\\d+");
        assertThat(browser.value("#value")).isEqualTo("hunter3");
        Screens.take(browser, "quota");
    }

    @Test
    void linkPreviewsBurnNothing(Browser browser) {
        SecretPage.open(browser, "previewed");
        String link = SecretPage.create(browser, "hunter2", "PT1H");
        String path = link.substring(browser.root().length()).replaceFirst("#.*", "");
        SampleClient preview = new SampleClient(browser.port());
        Stream.of(preview.head(path), preview.get(path))
                .forEach(answer -> assertThat(answer.status()).isEqualTo(200));
        browser.follow(link);
        SecretPage.waits(browser);
        browser.reload();
        SecretPage.waits(browser);
        browser.click("#reveal");
        browser.seeText("#secret", "hunter2");
    }

    @Test
    void allIsDoneByKeyboardAlone(Browser browser) {
        SecretPage.open(browser, "acme");
        // The secret has the focus when the page opens.
        browser.press("hunter2");
        browser.tabTo("#create");
        browser.press(Keys.ENTER);
        browser.see("#created");
        browser.tabTo("#copy");
        browser.follow(browser.value("#link"));
        SecretPage.waits(browser);
        browser.tabTo("#reveal");
        browser.press(Keys.ENTER);
        browser.seeText("#secret", "hunter2");
        assertThat(browser.hasFocus("#shown-title")).isTrue();
    }

    private static Instant ends(Browser browser) {
        return Instant.parse(browser.run("document.querySelector('#sent > li .ends').dateTime")
                .toString());
    }
}
