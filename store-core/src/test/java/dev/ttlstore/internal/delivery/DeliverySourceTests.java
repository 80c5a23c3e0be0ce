package dev.ttlstore.internal.delivery;

import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(17)
class DeliverySourceTests {

    private final FakeDeliveryReads reads = new FakeDeliveryReads();
    private final FakeClaims claims = new FakeClaims(reads);

    @Test
    void onlyWhereEveryChangeIsOursAWaitHasNoEnd() {
        assertThat(DeliverySource.of(engine(true)))
                .isEqualTo(new DeliverySource(reads, claims, 30_000, DeliverySource.FOR_EVER));
        assertThat(DeliverySource.of(engine(false)))
                .isEqualTo(new DeliverySource(reads, claims, 30_000, TimeUnit.SECONDS.toNanos(10)));
    }

    private Engine engine(boolean exclusive) {
        return (Engine) Proxy.newProxyInstance(
                Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "info" -> new EngineInfo("fake", null, exclusive);
                        case "deliveries" -> reads;
                        case "claims" -> claims;
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }
}
