package dev.ttlstore.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.ttlstore.engine.CopyPage;
import dev.ttlstore.engine.CopySource;
import dev.ttlstore.engine.CopyTarget;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Row;

/**
 * An engine whose target of a copy gets other rows than it should, as from a damaged memory.
 *
 * @param engine the engine
 * @param harm changes a page of rows before it is written
 */
record Tampering(EngineFactory engine, Consumer<List<Row>> harm) implements EngineFactory {

    @Override
    public Engine open(EngineSettings settings) {
        return engine.open(settings);
    }

    @Override
    public CopySource openSource(EngineSettings settings) {
        return engine.openSource(settings);
    }

    @Override
    public CopyTarget openTarget(EngineSettings settings) {
        CopyTarget target = engine.openTarget(settings);
        return (CopyTarget) Proxy.newProxyInstance(
                CopyTarget.class.getClassLoader(), new Class<?>[] {CopyTarget.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("write")) {
                        target.write(harmed((CopyPage) arguments[0]));
                        return null;
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CopyPage harmed(CopyPage page) {
        if (page.entries().isEmpty()) {
            return page;
        }
        List<Row> rows = new ArrayList<>();
        page.entries().forEach(change -> rows.add(change.after()));
        harm.accept(rows);
        return CopyPage.ofEntries(rows);
    }
}
