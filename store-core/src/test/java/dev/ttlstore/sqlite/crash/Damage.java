package dev.ttlstore.sqlite.crash;

import java.util.Arrays;
import java.util.Random;

/** What may happen to the bytes of a file. */
enum Damage {
    CUT {
        @Override
        byte[] on(byte[] bytes, Random random) {
            return Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
    },
    CUT_AND_FILLED_WITH_ZEROS {
        @Override
        byte[] on(byte[] bytes, Random random) {
            byte[] damaged = bytes.clone();
            Arrays.fill(damaged, random.nextInt(bytes.length), bytes.length, (byte) 0);
            return damaged;
        }
    },
    BIT_FLIPPED {
        @Override
        byte[] on(byte[] bytes, Random random) {
            return flip(bytes.clone(), random, bytes.length);
        }
    },
    BITS_FLIPPED {
        @Override
        byte[] on(byte[] bytes, Random random) {
            byte[] damaged = bytes.clone();
            for (int i = 0; i < 20; i++) {
                flip(damaged, random, bytes.length);
            }
            return damaged;
        }
    },
    BIT_FLIPPED_AT_THE_BEGINNING {
        @Override
        byte[] on(byte[] bytes, Random random) {
            return flip(bytes.clone(), random, Math.min(bytes.length, 200));
        }
    },
    SECTOR_LOST {
        @Override
        byte[] on(byte[] bytes, Random random) {
            byte[] damaged = bytes.clone();
            int from = random.nextInt(bytes.length) / SECTOR * SECTOR;
            Arrays.fill(damaged, from, Math.min(bytes.length, from + SECTOR), (byte) 0);
            return damaged;
        }
    },
    SECTOR_FROM_ELSEWHERE {
        @Override
        byte[] on(byte[] bytes, Random random) {
            byte[] damaged = bytes.clone();
            int from = random.nextInt(bytes.length) / SECTOR * SECTOR;
            int to = random.nextInt(bytes.length) / SECTOR * SECTOR;
            int length = Math.min(SECTOR, bytes.length - Math.max(from, to));
            System.arraycopy(bytes, from, damaged, to, length);
            return damaged;
        }
    };

    private static final int SECTOR = 512;

    /** The bytes as they are afterwards; those given stay as they are. */
    abstract byte[] on(byte[] bytes, Random random);

    private static byte[] flip(byte[] bytes, Random random, int bound) {
        bytes[random.nextInt(bound)] ^= (byte) (1 << random.nextInt(8));
        return bytes;
    }
}
