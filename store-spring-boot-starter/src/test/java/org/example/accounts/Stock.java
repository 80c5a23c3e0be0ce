package org.example.accounts;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.event.EventListener;
import org.springframework.session.events.SessionDestroyedEvent;
import org.springframework.stereotype.Component;

/** What can be bought. Chosen items are free again when the session ends, by a logout or by its expiry. */
@Component
public class Stock {

    private final List<String> released = new CopyOnWriteArrayList<>();

    @EventListener
    void release(SessionDestroyedEvent event) {
        Cart cart = event.getSession().getAttribute("cart");
        if (cart != null) {
            release(cart.items());
        }
    }

    private void release(List<String> items) {
        released.addAll(items);
    }

    public List<String> released() {
        return released;
    }
}
