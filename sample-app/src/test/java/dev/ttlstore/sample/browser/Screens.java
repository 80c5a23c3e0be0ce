package dev.ttlstore.sample.browser;

/** Looks at a page in every way that people may have it: light, dark, and on a phone, also with large text; each is kept as a picture. */
final class Screens {

    private Screens() {}

    static void take(Browser browser, String name) {
        Accessibility.assertNothingGrave(browser);
        browser.screenshot(name);
        browser.look("dark");
        Accessibility.assertNothingGrave(browser);
        browser.screenshot(name + "-dark");
        browser.look("light");
        browser.phone();
        browser.assertFits();
        browser.screenshot(name + "-phone");
        browser.enlargeText();
        browser.assertFits();
        browser.screenshot(name + "-phone-large");
        browser.usualText();
        browser.desktop();
    }
}
