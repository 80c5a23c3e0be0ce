package dev.ttlstore.engine;

import java.util.List;

/** Ignores what other processes change, apart from what a test overrides. It has room for all events. */
public class IgnoredChanges implements RemoteChanges {

    @Override
    public void changed(List<Change> changes) {}

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public void heldBack(List<Change> changes) {}

    @Override
    public void released(List<Change> changes) {}

    @Override
    public void unreported(long sequence) {}

    @Override
    public void wake(long dueBefore, boolean recorded) {}

    @Override
    public void lost(long sequence) {}
}
