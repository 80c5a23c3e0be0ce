package dev.ttlstore.internal.commit;

/**
 * Reports that an entry has expired since a commit was decided for it. The commit is rolled back and decided again. It is no
 * conflict with another owner, after which an engine may lock more.
 */
final class Overtaken extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Overtaken() {
        super("An entry has expired since the commit was decided", null, false, false);
    }
}
