package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import dev.ttlstore.exception.StoreException;

/**
 * Chooses the {@code DataSource} of a store: the marked one, or the application's.
 *
 * @since 0.1
 * @see StoreDataSource
 */
public final class StoreDataSources {

    private static final String KEPT_APART =
            " @Bean(defaultCandidate = false) keeps it from the rest of the application";

    private static final String STORE = "With 'store.engine=postgresql' the store";

    private static final String COPY = "With 'store.copy-to' the copy of the store";

    private static final String OR_EMBEDDED =
            "; or remove 'store.engine=postgresql', so that the store is in a file of this application";

    private final ObjectProvider<DataSource> all;
    private final ObjectProvider<DataSource> marked;
    private final ConfigurableListableBeanFactory beans;

    StoreDataSources(
            ObjectProvider<DataSource> all,
            @StoreDataSource ObjectProvider<DataSource> marked,
            ConfigurableListableBeanFactory beans) {
        this.all = all;
        this.marked = marked;
        this.beans = beans;
    }

    /**
     * Returns the data source.
     *
     * @throws StoreException if there is none, or none of several is to be preferred
     */
    DataSource choose() {
        return choose(STORE, OR_EMBEDDED);
    }

    /**
     * Returns the data source of the store that is copied, or that it is copied to.
     *
     * @throws StoreException if there is none, or none of several is to be preferred
     */
    DataSource chooseForCopy() {
        return choose(COPY, "");
    }

    private DataSource choose(String who, String otherwise) {
        DataSource source = areMarked() ? onlyMarked() : unmarked(who, otherwise);
        if (RoutingSource.is(source)) {
            throw routing(who, source);
        }
        if (TransactionAwareSource.isHiddenIn(source)) {
            throw hidingTransactions(who, source);
        }
        return source;
    }

    /** Whichever thread commits would choose the database, or its user, for the writes of all that wait. */
    private StoreException routing(String who, DataSource source) {
        return new StoreException(
                who + " uses one database as one user, and " + named(nameOf(source))
                        + " chooses among several by the thread that asks, so entries would"
                        + " come into the database of another thread, or be written as its user",
                "Mark a DataSource that always leads to the same database and user with @StoreDataSource;" + KEPT_APART,
                null);
    }

    /** A commit of the store would commit what the application has done so far in its own transaction. */
    private StoreException hidingTransactions(String who, DataSource source) {
        return new StoreException(
                who + " begins and commits its own transactions, and " + named(nameOf(source))
                        + " is a wrapper of a TransactionAwareDataSourceProxy, which hands out the connection of the application's"
                        + " transaction instead",
                "Mark the DataSource inside of that proxy, or another one without it, with @StoreDataSource;"
                        + KEPT_APART,
                null);
    }

    /** Tests whether there is a data source that is marked for the store. */
    boolean areMarked() {
        return marked.stream().findAny().isPresent();
    }

    private DataSource onlyMarked() {
        DataSource source = marked.getIfUnique();
        if (source == null) {
            throw new StoreException(
                    "Several DataSource beans are marked with @StoreDataSource, and the store uses one",
                    "Mark only one of " + names() + ", or make one of the marked ones @Primary",
                    null);
        }
        return source;
    }

    private DataSource unmarked(String who, String otherwise) {
        DataSource source = all.getIfUnique();
        if (source != null) {
            return source;
        }
        List<String> names = names();
        throw names.isEmpty() ? none(who, otherwise) : undecided(who, names, otherwise);
    }

    private static StoreException none(String who, String otherwise) {
        return new StoreException(
                who + " needs a DataSource, and the application has none",
                "Add the dependencies org.springframework.boot:spring-boot-starter-jdbc and org.postgresql:postgresql and"
                        + " set 'spring.datasource.url', or declare a DataSource bean" + otherwise,
                null);
    }

    private static StoreException undecided(String who, List<String> names, String otherwise) {
        return new StoreException(
                who + " needs one DataSource, and the application has several, " + names + ", and none is primary",
                "Mark the one for the store with @StoreDataSource, or one as @Primary" + otherwise,
                null);
    }

    /**
     * Describes a data source by the name of its bean, and has the context close the store before it. The order of creation would
     * do so as well, unless somebody destroys the data source by itself.
     *
     * @param source the data source
     * @param store the name of the store's bean
     */
    String neededBy(DataSource source, String store) {
        String name = nameOf(source);
        if (name != null) {
            beans.registerDependentBean(name, store);
        }
        return named(name);
    }

    private static String named(@Nullable String name) {
        return name == null ? "a DataSource of another context" : "the DataSource '" + name + "'";
    }

    /** Returns the name of a data source's bean; null if it is one of another context, which outlives this one. */
    private @Nullable String nameOf(DataSource source) {
        return names().stream()
                .filter(name -> beans.getSingleton(name) == source)
                .findFirst()
                .orElse(null);
    }

    private List<String> names() {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class))
                .toList();
    }
}
