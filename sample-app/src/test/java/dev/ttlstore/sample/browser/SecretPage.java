package dev.ttlstore.sample.browser;

/** What senders and receivers do with the two pages of a secret. */
final class SecretPage {

    private SecretPage() {}

    /** Opens the sender's page of a team. */
    static void open(Browser browser, String team) {
        browser.open("/?team=" + team);
        browser.see("#create");
    }

    /** Composes a secret on the sender's page, and answers its link. */
    static String create(Browser browser, String value, String ttl) {
        browser.type("#value", value);
        browser.choose("#ttl", ttl);
        browser.click("#create");
        browser.see("#created");
        return browser.value("#link");
    }

    /** A choice that no person has the time to wait for otherwise. */
    static void offer(Browser browser, int seconds) {
        browser.run(
                "(function () { lengths['PT' + arguments[0] + 'S'] = arguments[0];"
                        + " document.querySelector('#ttl').add(new Option('soon', 'PT' + arguments[0] + 'S')); return true; })"
                        + "(arguments[0])",
                seconds);
    }

    static void waits(Browser browser) {
        browser.seeText("#state", "waits");
        browser.see("#reveal");
    }
}
