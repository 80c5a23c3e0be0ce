package dev.ttlstore.spring.cache;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.util.ClassUtils;

/** What pages and sorts of Spring Data consist of, if it is on the class path. Two are equal if these are. */
final class PageKeys {

    static final boolean EXIST =
            ClassUtils.isPresent("org.springframework.data.domain.Pageable", PageKeys.class.getClassLoader());

    private PageKeys() {}

    /** Returns the parts of a page or a sort; null for anything else, also for other kinds of pages, which may have more. */
    static @Nullable Stream<?> parts(Object whole) {
        if (whole.getClass() == PageRequest.class) {
            PageRequest page = (PageRequest) whole;
            return Stream.of("page", page.getPageNumber(), page.getPageSize(), page.getSort());
        } else if (whole instanceof Pageable pageable && pageable.isUnpaged()) {
            return Stream.of("unpaged", pageable.getSort());
        } else if (whole instanceof Sort sort) {
            return Stream.concat(Stream.of("sort"), sort.stream().map(PageKeys::parts));
        }
        return null;
    }

    private static List<?> parts(Sort.Order order) {
        return List.of(order.getProperty(), order.getDirection(), order.isIgnoreCase(), order.getNullHandling());
    }
}
