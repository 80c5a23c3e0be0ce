package org.example.mail;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** Work that one instance does at a time. */
public class Mailbox {

    private final LockRegistry<DistributedLock> locks;
    private int mails;

    Mailbox(LockRegistry<DistributedLock> locks) {
        this.locks = locks;
    }

    void fetch(String mailbox) throws InterruptedException, TimeoutException {
        locks.executeLocked(mailbox, Duration.ofSeconds(10), () -> fetchNewMails());
    }

    private void fetchNewMails() {
        mails++;
    }

    int mails() {
        return mails;
    }
}
