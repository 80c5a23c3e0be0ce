package dev.ttlstore.cli;

import java.util.ArrayList;
import java.util.List;

/** Passwords among wrong arguments, which a message must not quote: it may end in the log of a scheduler. */
final class Secrets {

    private static final List<String> OPTIONS = List.of("--password", "--to-password");

    private Secrets() {}

    /** Tests whether a message quotes a URL or a password of the arguments. */
    static boolean areIn(String message, String... args) {
        return of(args).stream().anyMatch(message::contains);
    }

    private static List<String> of(String... args) {
        List<String> secrets = new ArrayList<>();
        boolean afterPassword = false;
        for (String arg : args) {
            int sign = arg.indexOf('=');
            String value = arg.startsWith("-") && sign > 0 ? arg.substring(sign + 1) : arg;
            boolean isOption = arg.startsWith("-") && sign < 0;
            if (!value.isEmpty()
                    && (Urls.isAny(value)
                            || (afterPassword && !isOption)
                            || (sign > 0 && OPTIONS.contains(arg.substring(0, sign))))) {
                secrets.add(value);
            }
            afterPassword = OPTIONS.contains(arg);
        }
        return secrets;
    }
}
