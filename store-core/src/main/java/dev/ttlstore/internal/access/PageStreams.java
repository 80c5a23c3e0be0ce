package dev.ttlstore.internal.access;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

/** Makes streams that read in pages. Each page is read when the stream has come to it. */
public final class PageStreams {

    private static final int NAMES_PER_PAGE = 256;

    private PageStreams() {}

    /**
     * Makes a stream that throws if the store is closed or the transaction has ended.
     *
     * @param access reaches the rows
     * @param source reads pages
     * @return the stream
     * @param <T> the type of its elements
     */
    public static <T> Stream<T> stream(RowAccess access, Source<T> source) {
        return StreamSupport.stream(new Reader<>(access, source), false);
    }

    /**
     * Streams the names of groups that have a live row, in order.
     *
     * @param access reaches the rows
     * @param groups the groups to look at
     * @return full names
     */
    public static Stream<String> groups(RowAccess access, GroupRange groups) {
        return stream(access, last -> {
            GroupRange rest = last == null ? groups : groups.after(last);
            Scan page = Scan.groups(rest, Reads.NOW, NAMES_PER_PAGE);
            return Page.of(
                    access.reads().groups(page).stream().map(GroupInfo::group).toList(), NAMES_PER_PAGE);
        });
    }

    /**
     * Streams the rows of a scan, in pages of its limit.
     *
     * @param access reaches the rows
     * @param walk the scan
     * @return the rows
     */
    public static Stream<Row> rows(RowAccess access, Scan walk) {
        return stream(access, last -> {
            RowPage page = access.reads().page(walk.after(last));
            return new Page<>(page.rows(), page.more());
        });
    }

    /**
     * Reads pages.
     *
     * @param <T> the type of their elements
     */
    public interface Source<T> {
        /**
         * Reads the page after an element.
         *
         * @param last the last element of the page before; null for the first page
         * @return the page
         */
        Page<T> after(@Nullable T last);
    }

    /**
     * A page.
     *
     * @param elements the elements
     * @param more whether there may be more after them
     * @param <T> their type
     */
    public record Page<T>(List<T> elements, boolean more) {

        /**
         * Makes a page. It is the last one if it has fewer elements than the limit.
         *
         * @param elements the elements
         * @param limit how many elements were asked for
         * @return the page
         * @param <T> the type of the elements
         */
        public static <T> Page<T> of(List<T> elements, int limit) {
            return new Page<>(elements, elements.size() == limit);
        }
    }

    private static final class Reader<T> extends Spliterators.AbstractSpliterator<T> {
        private final RowAccess access;
        private final Source<T> source;
        private Iterator<T> elements = List.<T>of().iterator();
        private boolean more = true;
        private @Nullable T last;

        private Reader(RowAccess access, Source<T> source) {
            super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT);
            this.access = access;
            this.source = source;
        }

        @Override
        public boolean tryAdvance(Consumer<? super T> action) {
            access.requireUsable();
            while (!elements.hasNext()) {
                if (!more) {
                    return false;
                }
                Page<T> page = source.after(last);
                elements = page.elements().iterator();
                more = page.more();
            }
            T element = elements.next();
            last = element;
            action.accept(element);
            return true;
        }
    }
}
