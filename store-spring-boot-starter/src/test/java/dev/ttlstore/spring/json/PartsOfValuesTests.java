package dev.ttlstore.spring.json;

import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;

/** P25: objects in collections, maps, arrays and cycles. */
class PartsOfValuesTests {

    private final JsonValues values = JsonValues.ofStarter();

    static class Animal {
        public String name = "";

        static Animal named(String name) {
            Animal created = new Animal();
            created.name = name;
            return created;
        }
    }

    static final class Cat extends Animal {
        public int lives = 9;
    }

    record Arrays(Animal[] animals) {}

    record Maybe(Optional<Animal> animal) {}

    record Named(Map<String, Animal> animals) {}

    record Some(Set<Animal> animals) {}

    /** The JSON does not name their class. */
    @Test
    void anObjectOfASubclassIsRefusedWhereverItIs() {
        Animal dog = Animal.named("Rex");
        values.assertComesBack(new Arrays(new Animal[] {dog}));
        values.assertRefused(new Arrays(new Animal[] {dog, new Cat()}), "'animals[]'", "Cat would become a");
        values.assertComesBack(new Maybe(Optional.of(dog)));
        values.assertComesBack(new Maybe(Optional.empty()));
        values.assertRefused(new Maybe(Optional.of(new Cat())), "'animal'", "Cat would become a");
        values.assertComesBack(new Named(Map.of("Rex", dog)));
        values.assertRefused(new Named(Map.of("Tom", new Cat())), "'animals[]'", "Cat would become a");
        values.assertComesBack(new Some(Set.of(dog, Animal.named("Bo"))));
        values.assertRefused(new Some(Set.of(dog, new Cat())), "'animals[]'");
    }

    record Letters(Map<Character, Integer> letters, Map<String, Integer> words) {}

    @Test
    void keysOfMapsAreWholeCharacters() {
        values.assertComesBack(new Letters(Map.of('a', 1), Map.of("🌦 and more 🌦", 1)));
        values.assertRefused(new Letters(Map.of('\ud83c', 1), Map.of()), "'letters");
        for (String broken : List.of("\ud83c", "a\ud83c", "\ud83ca", "\udf26", "🌦\udf26", "\ud83c\ud83c")) {
            values.assertRefused(new Letters(Map.of(), Map.of(broken, 1)), "'words");
        }
    }

    static final class Labelled extends ArrayList<String> {
        private static final long serialVersionUID = 1L;
        public @Nullable String label;
    }

    static final class Counted extends HashMap<String, Integer> {
        private static final long serialVersionUID = 1L;
        public int count;
    }

    static final class Sized extends HashSet<String> {
        private static final long serialVersionUID = 1L;
        public long size;
    }

    record Collections(Labelled list, Counted map, Sized set) {}

    /** Jackson writes the elements only. */
    @Test
    void whatACollectionHasBesideItsElementsIsCompared() {
        Labelled list = new Labelled();
        list.add("a");
        Counted map = new Counted();
        map.put("a", 1);
        Sized set = new Sized();
        set.add("a");
        values.assertComesBack(new Collections(list, map, set));
        list.label = "letters";
        values.assertRefused(new Collections(list, map, set), "'list.label'", "would become null");
        list.label = null;
        map.count = 1;
        values.assertRefused(new Collections(list, map, set), "'map.count'");
        map.count = 0;
        set.size = 1;
        values.assertRefused(new Collections(list, map, set), "'set.size'");
    }

    record Entries(Map.Entry<String, Object> entry, Map<String, Object> map) {}

    @Test
    void keysAndValuesOfEntriesAreCompared() {
        values.assertComesBack(new Entries(new SimpleEntry<>("a", 1), new LinkedHashMap<>(Map.of("a", 1))));
        values.assertRefused(new Entries(new SimpleEntry<>("a", 1L), Map.of()), "'entry' a java.lang.Long");
        values.assertRefused(new Entries(new SimpleEntry<>("a", 1), Map.of("a", 1L)), "'map[]' a java.lang.Long");
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class)
    static final class Link {
        public @Nullable Link next;
        public Object value = 0;

        static Link ring(Object value) {
            Link last = new Link();
            last.value = value;
            Link first = last;
            for (int i = 0; i < 3; i++) {
                Link before = new Link();
                before.next = first;
                first = before;
            }
            last.next = first;
            return first;
        }
    }

    /** They are compared again and again only so long. */
    @Test
    void objectsThatReferToEachOtherAreCompared() {
        values.assertComesBack(Link.ring(1));
        values.assertRefused(Link.ring(1L), "a java.lang.Long would become a java.lang.Integer");
    }
}
