package dev.ttlstore;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.spi.CachingProvider;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.contract.AesGcm;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.export.ExportResult;
import dev.ttlstore.export.ImportResult;
import dev.ttlstore.export.StoreExport;
import dev.ttlstore.export.StoreImport;
import dev.ttlstore.jcache.JCache;
import dev.ttlstore.jcache.StoreConfiguration;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.sqlite.Sqlite;
import dev.ttlstore.verification.RepairReport;
import dev.ttlstore.verification.VerificationReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The snippets of the module's README, as they stand there. */
class ReadmeTests {

    private static final Logger log = LoggerFactory.getLogger(ReadmeTests.class);
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    private final List<String> shown = new CopyOnWriteArrayList<>();

    private void show(Entry<String> entry) {
        shown.add(entry.value());
    }

    private void show(EntryPut entry) {
        shown.add(entry.key());
    }

    @Test
    void aStoreIsOpenedByItsPath() {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            TextGroup config = store.group("config");
            config.put("theme", "dark");
            config.put("banner", "hello", Duration.ofMinutes(10));
            Optional<String> banner = config.get("banner");
            assertThat(banner).contains("hello");
        }
    }

    @Test
    void aStoreIsSetUpByItsBuilder() {
        Store store = Store.builder()
                .path(folder.resolve("app.db"))
                .durability(Durability.FULL)
                .maxValueSize(64 * 1024)
                .open();
        store.close();
        assertThat(folder.resolve("app.db")).exists();
    }

    @Test
    void expiryIsExact() {
        try (Store store = Store.inMemory()) {
            TextGroup config = store.group("config");
            config.put("banner", "hello", Duration.ofMinutes(10));
            config.expire("banner", Duration.ofHours(1));
            config.persist("banner");
            config.put("banner", "again");
            assertThat(config.get("banner")).contains("again");
        }
    }

    @Test
    void oneCallerWins() {
        try (Store store = Store.inMemory()) {
            Group<Long> stock = store.group("stock", Long.class);
            boolean first = stock.putIfAbsent("apples", 10L).isPresent();
            boolean swapped = stock.replace("apples", 10L, 9L).isPresent();
            Optional<Long> halved = stock.update("apples", count -> count / 2);
            Optional<Long> before = stock.getAndPut("apples", 3L);
            Optional<Long> used = stock.take("apples");
            assertThat(List.of(first, swapped)).containsOnly(true);
            assertThat(halved).contains(4L).isEqualTo(before);
            assertThat(used).contains(3L);
        }
    }

    @Test
    void aConditionIsPartOfTheWrite() {
        String requestId = "7";
        try (Store store = Store.inMemory()) {
            TextGroup answers = store.group("answers");
            TextGroup carts = store.group("carts");
            TextGroup config = store.group("config");
            carts.put("ann", "x");
            config.put("banner", "hello");
            Optional<String> stored = answers.getAndPutIfAbsent(requestId, "in progress", Duration.ofHours(1));
            OptionalLong answered = answers.putIfPresent(requestId, "done", Expiry.keep());
            Optional<String> shorter = carts.updateOrDelete(
                    "ann", cart -> Optional.of(cart.substring(1)).filter(rest -> !rest.isEmpty()));
            String theme = config.getOrPut("theme", () -> "dark");
            boolean ended = config.expireNow("banner");
            assertThat(stored).isEmpty();
            assertThat(answered).isPresent();
            assertThat(answers.entry(requestId).orElseThrow().ttl()).isNotNull();
            assertThat(shorter).isEmpty();
            assertThat(carts.contains("ann")).isFalse();
            assertThat(theme).isEqualTo("dark");
            assertThat(ended).isTrue();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // javac 17 does not read annotations of type parameters from class files
    void aTransactionNeedNotAnswer() throws FileNotFoundException {
        String key = "missing";
        try (Store store = Store.inMemory()) {
            store.group("uploads").put("report", "text");
            store.transactCheckedWithoutResult(tx -> {
                String text = tx.group("uploads").take("report").orElseThrow(() -> new FileNotFoundException("report"));
                tx.scope("acme").group("reports").put("report", text);
            });
            String nobody = store.transact(tx -> tx.group("members").get(key).orElse(null));
            assertThat(store.group("acme:reports").get("report")).contains("text");
            assertThat(nobody).isNull();
        }
    }

    @Test
    void aBatchIsWrittenIfItsConditionsHold() {
        try (Store store = Store.inMemory()) {
            TextGroup carts = store.group("carts");
            TextGroup orders = store.group("orders");
            carts.put("anna", "bread");
            Entry<String> cart = carts.entry("anna").orElseThrow();
            boolean ordered = store.batch()
                    .requireVersion(carts, "anna", cart.version())
                    .delete(carts, "anna")
                    .put(orders, "4711", cart.value(), Expiry.never())
                    .write();
            assertThat(ordered).isTrue();
            assertThat(carts.contains("anna")).isFalse();
            assertThat(orders.get("4711")).contains("bread");
        }
    }

    @Test
    void aRangeIsPagedAndChanged() {
        try (Store store = Store.inMemory()) {
            TextGroup readings = store.group("readings");
            KeyRange sensor7 = CompositeKey.startingWith("sensor-7");
            for (int i = 100; i < 150; i++) {
                readings.put(CompositeKey.of("sensor-7", "" + i), "" + i);
                store.group("temp-" + i % 2).put("" + i, "value");
            }
            List<String> keys = readings.keys(sensor7.limit(100)).toList();
            List<Entry<String>> newest = readings.page(sensor7.reversed(), null, 25);
            String oldestShown = newest.get(newest.size() - 1).key();
            List<Entry<String>> next = readings.page(sensor7.reversed(), oldestShown, 25);
            readings.expireAll(keys, Expiry.later(Duration.ofDays(10)));
            long deleted = readings.deleteAll(keys);
            readings.expireAll(Expiry.afterUpdate(Duration.ofDays(7)));
            long shortened = store.expirePrefix(
                    "temp-", Expiry.after(Duration.ofHours(1)).ifEarlier());
            assertThat(newest).extracting(Entry::value).startsWith("149", "148").hasSize(25);
            assertThat(next).extracting(Entry::value).startsWith("124").endsWith("100");
            assertThat(List.of(deleted, shortened)).containsOnly(50L);
        }
    }

    @Test
    void aWatchCanResumeAndEventsCanHaveValues() {
        long lastEventId = 1;
        try (Store store = Store.inMemory()) {
            Group<Long> stock = store.group("stock", Long.class);
            WatchOptions oneKeyInAllGroups = WatchOptions.defaults().ofKey("theme");
            WatchOptions fromWhereItEnded =
                    WatchOptions.defaults().ofGroup("invites").resumingAfter(lastEventId);
            Subscription mirror = store.onChange(StoreListener.withValues(event -> {
                if (event instanceof EntryPut put && put.group().equals("stock")) {
                    stock.valueOf(put).ifPresent(count -> log.info("{} now has {}", put.key(), count));
                }
            }));
            Subscription second = store.onChange(StoreListener.withValues(
                    event -> shown.add(stock.valueOf((EntryPut) event).orElseThrow() + " apples")));
            stock.put("apples", 3L);
            assertThat(shown).containsExactly("3 apples");
            store.watch(oneKeyInAllGroups).close();
            store.watch(fromWhereItEnded).close();
            second.close();
            mirror.close();
        }
    }

    @Test
    void aSubscriberGetsAGroupInEveryScope() {
        MovableClock clock = new MovableClock();
        try (Store store = Store.builder().inMemory().clock(clock).open()) {
            store.onExpiredMatching(
                    "audit",
                    new GroupPattern("*:secrets"),
                    Void.class,
                    entry -> log.info("A secret of {} has ended", entry.group()));
            store.scope("acme").group("secrets").put("key", "value", Duration.ofDays(10));
            clock.advance(Duration.ofDays(10));
            store.purgeExpired();
            Awaitility.await().until(() -> store.expirySubscribers().get(0).pending() == 0);
        }
    }

    @Test
    void aGroupIsKeptForItsOwnTime() {
        Store store = Store.builder()
                .path(folder.resolve("app.db"))
                .retention(Duration.ofDays(1))
                .group("approvals", GroupSettings.defaults().withRetention(Duration.ofDays(365)))
                .group("secrets", GroupSettings.defaults().withRetention(Duration.ZERO)) // keeps nothing
                .open();
        store.close();
        assertThat(folder.resolve("app.db")).exists();
    }

    @Test
    void aSoundStoreIsVerifiedAndNotRepaired() {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            VerificationReport report = store.verify(progress -> log.info("{}", progress));
            if (!report.isSound()) {
                report.findings()
                        .forEach(found -> log.warn("{} {}: {}", found.group(), found.problem(), found.remedy()));
            }
            assertThat(report.isSound()).isTrue();
        }
        RepairReport repaired = Sqlite.file(folder.resolve("app.db")).repair(progress -> log.info("{}", progress));
        assertThat(repaired.original()).isNull();
    }

    @Test
    void aBackupTakesThePlaceOfAMissingFile() throws IOException {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            store.group("group").put("key", "value");
            BackupResult made = store.backup(folder.resolve("app.db.2026-11-24T2200.backup"));
            assertThat(made.path()).exists();
        }
        Files.delete(folder.resolve("app.db"));
        Store store = Store.builder()
                .engine(Sqlite.file(folder.resolve("app.db")).restoreFrom(folder))
                .open();
        assertThat(store.group("group").get("key")).contains("value");
        store.close();
    }

    @Test
    void aScopeIsExportedAndImported() {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            store.scope("acme").group("config").put("theme", "dark");
            ExportResult exported = StoreExport.of(store).scope("acme").toFile(folder.resolve("acme.jsonl"));
            ImportResult imported = StoreImport.into(store).fromFile(folder.resolve("acme.jsonl"));
            assertThat(exported.entries()).isEqualTo(1);
            assertThat(imported.unchanged()).isEqualTo(1);
        }
    }

    @Test
    void anOlderFileIsCopiedFirst() {
        Store store = Store.builder()
                .engine(Sqlite.file(folder.resolve("app.db")).copyBeforeMigration(true))
                .open();
        store.close();
        assertThat(folder.resolve("app.db")).exists();
    }

    @Test
    void aLeaseIsRenewedByItsVersion() {
        Duration lease = Duration.ofSeconds(30);
        try (Store store = Store.inMemory()) {
            TextGroup locks = store.group("locks");
            long version = locks.putIfAbsent("report", "node-1", lease).orElseThrow();
            version = locks.replaceVersion("report", version, "node-1", lease).orElseThrow();
            boolean released = locks.deleteVersion("report", version);
            assertThat(released).isTrue();
        }
    }

    @Test
    void anExpirySaysWhatATtlCannot() {
        Instant end = Instant.now().plus(Duration.ofMinutes(1));
        try (Store store = Store.inMemory()) {
            TextGroup config = store.group("config");
            config.put("banner", "see you", Expiry.at(end));
            config.put("banner", "see you soon", Expiry.keep());
            config.put("theme", "dark", Expiry.never());
            config.expire("banner", Expiry.after(Duration.ofHours(1)).ifLater());
            config.expire("banner", Expiry.afterCreation(Duration.ofDays(20)));
            assertThat(config.keys()).containsExactly("banner", "theme");
        }
    }

    @Test
    void aSessionIsReadAndRenewed() {
        try (Store store = Store.inMemory()) {
            TextGroup sessions = store.group("sessions");
            String id = sessions.add("ann", Duration.ofMinutes(1));
            Optional<String> session = sessions.getAndExpire(id, Duration.ofMinutes(30));
            assertThat(session).contains("ann");
        }
    }

    @Test
    void aRateLimitTakesTwoLines() {
        String user = "ann";
        try (Store store = Store.inMemory()) {
            long calls = store.counters("calls").increment(user, 1, Duration.ofMinutes(1));
            boolean allowed = calls <= 100;
            assertThat(allowed).isTrue();
        }
    }

    @Test
    void aTransactionIsAllOrNothing() {
        try (Store store = Store.inMemory()) {
            String key = store.group("invites").add("ann@example.org");
            String member = store.transact(tx -> {
                String mail = tx.group("invites").take(key).orElseThrow();
                return tx.group("members").add(mail);
            });
            assertThat(store.group("members").get(member)).contains("ann@example.org");
        }
    }

    @Test
    void rangesAreInOrder() {
        try (Store store = Store.inMemory()) {
            store.group("log").put("2026-11-20", "older");
            store.group("log").put("2026-11-21", "newer");
            store.group("log").put("2026-12-01", "outside");
            store.group("log")
                    .entries(KeyRange.prefix("2026-11-").reversed().limit(10))
                    .forEach(this::show);
            assertThat(shown).containsExactly("newer", "older");
        }
    }

    @Test
    void aPartitionIsReadInOrder() {
        try (Store store = Store.inMemory()) {
            TextGroup readings = store.group("readings");
            readings.put(CompositeKey.of("sensor-7", "2026-11-21T08:00"), "21.5");
            KeyRange sensor7 = CompositeKey.startingWith("sensor-7");
            readings.entries(sensor7).forEach(this::show);
            long inStock = readings.count(sensor7);
            readings.expireAll(sensor7, Expiry.afterCreation(Duration.ofDays(20)));
            long dropped = readings.clear(sensor7);
            assertThat(dropped).isEqualTo(inStock);
            assertThat(shown).containsExactly("21.5");
        }
    }

    @Test
    void everyChangeIsTold() throws InterruptedException {
        try (Store store = Store.inMemory()) {
            Subscription told = store.onChange(event -> log.info("{}", event));
            try (Watch watch = store.watch("invites")) {
                Optional<WatchSignal> signal = watch.poll(Duration.ofSeconds(1));
                assertThat(signal).isEmpty();
            }
            told.close();
        }
    }

    @Test
    void aScopeHasAQuota() {
        try (Store store = Store.inMemory()) {
            Scope acme = store.scope("acme", new Quota(10_000, 100, 50_000_000));
            acme.group("invites").put("ann", "member", Duration.ofDays(10));
            Usage usage = acme.usage();
            assertThat(usage).isEqualTo(new Usage(1, 1, 9));
        }
    }

    @Test
    void whatExpiresIsHandled() {
        MovableClock clock = new MovableClock();
        try (Store store = Store.builder().inMemory().clock(clock).open()) {
            Subscription reminders = store.onExpired(
                    "reminders",
                    "invites",
                    entry -> log.info("The invitation of {} has ended at {}", entry.value(), entry.expiresAt()));
            DeadLetters failed = store.deadLetters("reminders");
            store.group("invites").put("key", "ann", Duration.ofDays(10));
            clock.advance(Duration.ofDays(10));
            store.purgeExpired();
            Awaitility.await().until(() -> store.expirySubscribers().get(0).pending() == 0);
            assertThat(failed.count()).isZero();
            reminders.close();
        }
    }

    @Test
    void whatExpiresCanBeListed() {
        try (Store store = Store.inMemory()) {
            Instant now = Instant.now();
            store.expiring(now, now.plus(Duration.ofHours(1))).forEach(entry -> log.info("{}", entry));
            store.expired(now.minus(Duration.ofDays(1)), now).forEach(entry -> log.info("{}", entry));
            assertThat(store.count()).isZero();
        }
    }

    @Test
    void aGroupCanHaveATtl() {
        Store store = Store.builder()
                .path(folder.resolve("app.db"))
                .group("drafts", GroupSettings.defaults().withTtl(Duration.ofDays(7)))
                .open();
        store.group("drafts").put("key", "value");
        assertThat(store.group("drafts").entry("key").orElseThrow().ttl()).isNotNull();
        store.close();
    }

    @Test
    void entriesHaveAnAge() {
        Store store = Store.builder()
                .path(folder.resolve("app.db"))
                .group(
                        "sessions",
                        GroupSettings.defaults().withTtl(Duration.ofMinutes(30)).withMaxAge(Duration.ofDays(1)))
                .group("uploads", GroupSettings.defaults().withAgeIndex(true))
                .open();
        store.group("uploads")
                .createdBefore(Instant.now().minus(Duration.ofDays(30)))
                .forEach(this::show);
        long swept = store.group("uploads").sweep(Duration.ofDays(90));
        assertThat(swept).isZero();
        store.close();
    }

    @Test
    void aGroupCanBeEncrypted() {
        ValueCipher cipher = new AesGcm(1);
        Store store = Store.builder()
                .path(folder.resolve("app.db"))
                .encrypt(group -> group.equals("secrets") || group.endsWith(":secrets"), cipher)
                .open();
        store.scope("acme").group("secrets").put("key", "value");
        assertThat(store.scope("acme").group("secrets").get("key")).contains("value");
        assertThat(store.scope("acme", Quota.UNLIMITED).usage().bytes()).isGreaterThan(8);
        store.close();
    }

    @Test
    void thereAreNumbers() {
        try (Store store = Store.inMemory()) {
            store.group("invites").put("key", "ann", Duration.ofMinutes(1));
            store.group("invites").put("other", "bob", Duration.ofHours(2));
            assertThat(store.group("invites").get("key")).contains("ann");
            GroupActivity entries = store.activity().entries();
            double hitRate = (double) entries.hits() / (entries.hits() + entries.misses());
            StoreStats stats = store.stats();
            long soon = store.group("invites").count()
                    - store.group("invites").count(Instant.now().plus(Duration.ofHours(1)));
            assertThat(hitRate).isEqualTo(1);
            assertThat(stats.entries()).isEqualTo(2);
            assertThat(soon).isEqualTo(1);
        }
    }

    @Test
    void aTemplateIsFilledIn() {
        try (Store store = Store.inMemory()) {
            store.group("config").put("theme", "dark");
            store.group("config").put("name", "Ann");
            TextGroup config = store.group("config");
            String greeting = config.render("Hello {{name}}!");
            String settings =
                    config.renderStrict("{{#-entries}}{{-key}}={{-value}}{{^-last}}, {{/-last}}{{/-entries}}");
            assertThat(greeting).isEqualTo("Hello Ann!");
            assertThat(settings).isEqualTo("name=Ann, theme=dark");
        }
    }

    @Test
    void aWriteNeedNotBeWaitedFor() {
        try (Store store = Store.inMemory()) {
            AsyncGroup<String> config = store.group("config").async();
            CompletableFuture<Long> version = config.put("theme", "dark");
            CompletableFuture<Optional<String>> renewed = config.getAndExpire("theme", Duration.ofHours(1));
            CompletableFuture<Long> cleared = config.clear(KeyRange.prefix("temp-"));
            assertThat(version.join()).isPositive();
            assertThat(renewed.join()).contains("dark");
            assertThat(cleared.join()).isZero();
        }
    }

    @Test
    void aWatchStartsWithTheExistingEntries() {
        try (Store store = Store.inMemory()) {
            store.group("invites").put("2026-1", "ann");
            Future<?> end = Threads.start(thread -> {
                Awaitility.await().until(() -> !shown.isEmpty());
                store.closeWatches();
                return true;
            });
            WatchOptions options = WatchOptions.defaults().ofKeyPrefix("2026-").withExisting();
            try (Watch watch = store.group("invites").watch(options)) {
                for (WatchSignal signal : watch) {
                    if (signal instanceof WatchSignal.Existing existing) {
                        show(existing.entry());
                    } else if (signal instanceof WatchSignal.UpToDate now) {
                        log.info("Complete as of {}", now.sequence());
                    } else if (signal instanceof WatchSignal.Change change) {
                        log.info("{}", change.event());
                    } else {
                        log.info("Changes are missing: read the group again");
                    }
                }
            }
            Threads.get(end);
            assertThat(shown).containsExactly("2026-1");
        }
    }

    private static final Codec<List<String>> LINES = new Codec<>() {
        @Override
        public byte[] encode(List<String> value) {
            return Codec.text().encode(String.join("\n", value));
        }

        @Override
        public List<String> decode(byte[] bytes) {
            return List.of(Codec.text().decode(bytes).split("\n", -1));
        }
    };

    private static final CodecFactory LISTS = new CodecFactory() {
        @Override
        public <V> @Nullable Codec<V> codec(Class<V> type) {
            return null;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <V> @Nullable Codec<V> codec(TypeRef<V> type) {
            return (Codec<V>) LINES;
        }
    };

    @Test
    void aGroupHasAGenericTypeOrACodecOfItsOwn() {
        Codec<UUID> uuidCodec = new Codec<>() {
            @Override
            public byte[] encode(UUID value) {
                return Codec.text().encode(value.toString());
            }

            @Override
            public UUID decode(byte[] bytes) {
                return UUID.fromString(Codec.text().decode(bytes));
            }
        };
        try (Store store = Store.builder().inMemory().codecs(LISTS).open()) {
            Group<List<String>> tags = store.group("tags", new TypeRef<List<String>>() {});
            Group<UUID> ids = store.group("ids", uuidCodec);
            tags.put("a", List.of("x", "y"));
            UUID id = UUID.randomUUID();
            ids.put("a", id);
            assertThat(tags.get("a")).contains(List.of("x", "y"));
            assertThat(ids.get("a")).contains(id);
        }
    }

    /** That it works with a server is for the tests of the engine; this one sees that the snippet compiles. */
    @Test
    void aServerThatCannotBeReachedIsAnError() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setPortNumbers(new int[] {1});
        assertThatThrownBy(() -> {
                    Store store = Store.builder()
                            .engine(PostgreSql.on(dataSource).schema("ttl_store"))
                            .open();
                    store.close();
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("connection");
    }

    /** As above: that it copies is for {@link dev.ttlstore.contract.CopyContract}. */
    @Test
    void aCopyToAServerThatCannotBeReachedIsAnError() {
        Store.open(folder.resolve("app.db")).close();
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setPortNumbers(new int[] {1});
        assertThatThrownBy(() -> {
                    CopyResult copied = StoreCopy.from(Sqlite.file(folder.resolve("app.db")))
                            .to(PostgreSql.on(dataSource).schema("ttl_store"))
                            .onProgress(progress -> log.info("{}", progress))
                            .run();
                    assertThat(copied.entries()).isZero();
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("connection");
    }

    @Test
    void jCacheHasAFileOfItsOwn() {
        CachingProvider provider = Caching.getCachingProvider("dev.ttlstore.jcache.StoreCachingProvider");
        CacheManager manager = provider.getCacheManager(folder.resolve("app.db").toUri(), null);
        Cache<String, Long> prices = manager.createCache(
                "prices",
                new MutableConfiguration<String, Long>()
                        .setTypes(String.class, Long.class)
                        .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_HOUR)));
        prices.put("apples", 250L);
        assertThat(prices.get("apples")).isEqualTo(250L);
        manager.close();
    }

    @Test
    void jCacheUsesAnOpenStore() {
        try (Store store = Store.inMemory()) {
            CacheManager manager = JCache.of(store);
            Cache<String, Object> carts =
                    manager.createCache("carts", new StoreConfiguration<String, Object>().allow("com.example.shop.**"));
            carts.put("ann", List.of("apples"));
            assertThat(carts.get("ann")).isEqualTo(List.of("apples"));
        }
    }

    @Test
    void everySnippetOfTheReadmeIsHere() throws IOException {
        String here = flat(Files.readString(Path.of("src/test/java/dev/ttlstore/ReadmeTests.java")));
        List<String> snippets = new ArrayList<>();
        Matcher matcher = JAVA.matcher(Files.readString(Path.of("README.md")));
        while (matcher.find()) {
            // Where the file is differs: the folder of a test is a temporary one.
            snippets.add(flat(matcher.group(1)).replace("Path.of(\"app.db\")", "folder.resolve(\"app.db\")"));
        }
        assertThat(snippets).hasSize(40).allSatisfy(snippet -> assertThat(here)
                .contains(withoutClosingBraces(snippet)));
    }

    /** A test may go on where the snippet ends. */
    private static String withoutClosingBraces(String snippet) {
        return snippet.replaceAll("[\\s}]+$", "");
    }

    /** Without white space, which the formatter puts as it likes. */
    private static String flat(String text) {
        return text.replaceAll("\\s+", "");
    }
}
