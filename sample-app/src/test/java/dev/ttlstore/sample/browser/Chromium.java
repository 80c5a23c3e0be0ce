package dev.ttlstore.sample.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;

import org.openqa.selenium.PageLoadStrategy;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * The Chromium of this machine, and its driver. Nothing is downloaded, for what a test runs should be what the machine's owner
 * has chosen.
 *
 * @param browser its program
 * @param driver the program of its driver
 */
record Chromium(Path browser, Path driver) {

    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");
    private static final List<String> DRIVERS = List.of("chromedriver", "chromium.chromedriver");

    /** Looks on the {@code PATH}. */
    static Optional<Chromium> find() {
        return find(BROWSERS).flatMap(browser -> find(DRIVERS).map(driver -> new Chromium(browser, driver)));
    }

    private static Optional<Path> find(List<String> names) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        List<Path> folders =
                Arrays.stream(path.split(File.pathSeparator)).map(Path::of).toList();
        return names.stream()
                .flatMap(name -> folders.stream().map(folder -> folder.resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it without a window, and without what it would ask of other hosts by itself. */
    ChromeDriver start(Path profile) {
        return start(profile, PageLoadStrategy.NORMAL);
    }

    /** Starts it so that it waits for as much of each page. */
    ChromeDriver start(Path profile, PageLoadStrategy waits) {
        ChromeOptions options = new ChromeOptions();
        options.setPageLoadStrategy(waits);
        options.setBinary(browser.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                // One process for all pages, because each costs as much to start as a page to look at.
                "--renderer-process-limit=1",
                "--disable-site-isolation-trials",
                "--disable-features=IsolateOrigins,site-per-process",
                "--lang=en-US",
                "--window-size=960,900",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.toFile())
                .usingAnyFreePort()
                .build();
        return new ChromeDriver(service, options);
    }
}
