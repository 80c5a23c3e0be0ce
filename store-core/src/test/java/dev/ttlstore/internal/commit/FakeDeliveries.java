package dev.ttlstore.internal.commit;

import java.lang.reflect.Proxy;

import dev.ttlstore.engine.Backlog;
import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.Row;

/** Subscribers without any deliveries: what is added or removed is forgotten, and told by nobody. */
final class FakeDeliveries {

    private FakeDeliveries() {}

    static DeliveryWrites writes() {
        return fake(DeliveryWrites.class);
    }

    static DeliveryReads reads() {
        return fake(DeliveryReads.class);
    }

    private static <T> T fake(Class<T> type) {
        Object fake =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "backlog" -> new Backlog(0, Row.NEVER, 0);
                        case "remove" -> true;
                        case "add" -> null;
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
        return type.cast(fake);
    }
}
