package dev.ttlstore;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

/** Makes a stream of what is read in pages, each of which is read when the stream has come to it. */
final class Pages {

    private Pages() {}

    static <T> Stream<T> stream(Source<T> source) {
        return StreamSupport.stream(new Reader<>(source), false);
    }

    /** Reads the page that comes after an element. */
    interface Source<T> {
        Page<T> after(@Nullable T last);
    }

    /** Some elements, and whether there may be more behind them. */
    record Page<T>(List<T> elements, boolean more) {}

    private static final class Reader<T> extends Spliterators.AbstractSpliterator<T> {
        private final Source<T> source;
        private Iterator<T> elements = List.<T>of().iterator();
        private boolean more = true;
        private @Nullable T last;

        private Reader(Source<T> source) {
            super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT);
            this.source = source;
        }

        @Override
        public boolean tryAdvance(Consumer<? super T> action) {
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
