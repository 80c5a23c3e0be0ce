package dev.ttlstore.postgresql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Operators and functions that another role has put into {@code public}, to have its code run by whoever names one of PostgreSQL with
 * types that fit none of PostgreSQL exactly. Nobody else may call them, so that a statement fails that would, even if it would not
 * come to the call.
 */
final class ForeignObjects {

    /** What the server says of a statement that would call one. */
    static final String REFUSED = "permission denied for function";

    private static final List<String> NUMBERS =
            List.of("int2", "int4", "int8", "numeric", "float4", "float8", "oid", "regclass");

    private static final List<String> TEXTS = List.of("text", "varchar", "bpchar", "name");

    private static final List<String> TIMES = List.of("timestamptz", "timestamp", "date", "interval");

    private static final List<String> OTHERS = List.of("bool", "bytea", "uuid");

    private static final List<String> ARRAYS = List.of("int4[]", "int8[]", "text[]", "varchar[]", "bytea[]");

    private static final List<List<String>> FAMILIES = List.of(NUMBERS, TEXTS, TIMES, OTHERS, ARRAYS);

    private static final List<String> ALL =
            FAMILIES.stream().flatMap(List::stream).toList();

    private static final List<String> TESTS = List.of("=", "<>", "<", "<=", ">", ">=", "~", "~~");

    private static final List<String> SUMS = List.of("+", "-", "*", "/");

    private static final Pattern CALL = Pattern.compile("\\b([a-z_0-9]+)\\(");

    private static final String OVERLOADS = """
            SELECT p.proname, p.proretset, p.prorettype::regtype::text,
                   ARRAY(SELECT a.type::regtype::text FROM unnest(p.proargtypes) WITH ORDINALITY a (type, place) ORDER BY a.place)
              FROM pg_proc p
             WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY (?) AND p.pronargs BETWEEN 1 AND 3
               AND p.provariadic = 0
            """;

    private final List<String> statements = new ArrayList<>();

    private ForeignObjects() {}

    /** Fills {@code public} of a database with them, by the connection of the other role. */
    static void create(Connection connection) throws SQLException, IOException {
        ForeignObjects objects = new ForeignObjects();
        objects.operators();
        objects.functions(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET check_function_bodies = off");
            statement.execute(String.join(";\n", objects.statements));
            statement.execute("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC");
        }
    }

    private void operators() {
        for (List<String> family : FAMILIES) {
            for (String left : family) {
                for (String right : family) {
                    operators(left, right, "bool", TESTS);
                    if (family.equals(NUMBERS)) {
                        boolean second = NUMBERS.indexOf(right) > NUMBERS.indexOf(left);
                        operators(left, right, second ? right : left, SUMS);
                    }
                }
            }
        }
        operators("text", "text", "text", List.of("||"));
        for (String type : ALL) {
            if (!type.equals("text")) {
                operators(type, "text", "text", List.of("||"));
                operators("text", type, "text", List.of("||"));
            }
        }
    }

    private void operators(String left, String right, String result, List<String> names) {
        String function = '"' + left + ' ' + right + ' ' + result + '"';
        statements.add(function(function, left + ", " + right, result));
        for (String name : names) {
            statements.add("CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.%s)"
                    .formatted(name, left, right, function));
        }
    }

    private static String function(String name, String types, String result) {
        return "CREATE OR REPLACE FUNCTION public.%s(%s) RETURNS %s LANGUAGE sql AS 'SELECT NULL'"
                .formatted(name, types, result);
    }

    /** All that the engine may call, by the words before brackets in its sources. */
    private void functions(Connection connection) throws SQLException, IOException {
        Set<String> created = new TreeSet<>();
        try (PreparedStatement query = connection.prepareStatement(OVERLOADS)) {
            query.setArray(1, connection.createArrayOf("text", calls().toArray()));
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    String[] types = (String[]) found.getArray(4).getArray();
                    String result = (found.getBoolean(2) ? "SETOF " : "") + concrete(found.getString(3));
                    for (String alternative : alternatives(types, 0)) {
                        if (created.add(found.getString(1) + '(' + alternative)) {
                            statements.add(function('"' + found.getString(1) + '"', alternative, result));
                        }
                    }
                }
            }
        }
    }

    private static Set<String> calls() throws IOException {
        Set<String> calls = new TreeSet<>();
        for (String kind : List.of("java", "resources")) {
            try (Stream<Path> files = Files.walk(Path.of("src", "main", kind, "dev", "ttlstore", "postgresql"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    CALL.matcher(Files.readString(file)).results().forEach(call -> calls.add(call.group(1)));
                }
            }
        }
        return calls;
    }

    /** Returns lists of types that arguments may have which are passed on to some types. */
    private static List<String> alternatives(String[] types, int place) {
        if (place == types.length) {
            return List.of("");
        }
        List<String> lists = new ArrayList<>();
        for (String rest : alternatives(types, place + 1)) {
            for (String type : alternatives(types[place])) {
                lists.add(rest.isEmpty() ? type : type + ", " + rest);
            }
        }
        return lists;
    }

    private static List<String> alternatives(String type) {
        return switch (type) {
            case "\"any\"", "anyelement", "anycompatible", "anynonarray" -> ALL;
            case "anyarray", "anycompatiblearray" -> ARRAYS;
            case "bigint", "integer", "smallint", "numeric", "double precision", "real", "oid", "regclass" -> NUMBERS;
            case "text", "name", "character varying", "character" -> TEXTS;
            case "timestamp with time zone", "timestamp without time zone", "date", "interval" -> TIMES;
            case "boolean", "bytea", "uuid", "pg_lsn" -> List.of(type);
            default -> List.of(); // such as internal, which nobody may pass
        };
    }

    /** Returns the result of a function, or some other type for one that depends on the arguments. */
    private static String concrete(String result) {
        return result.startsWith("any") || alternatives(result).isEmpty() ? "int8" : result;
    }
}
