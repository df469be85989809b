package dev.pgkq.rewards.advise;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.advise.Told;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Arrays as little-endian bytes, as the database stores them. */
final class Blob {
    private Blob() {}

    static byte[] of(int[] values) {
        ByteBuffer bytes = allocate(values.length, Integer.BYTES);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    static byte[] of(float[] values) {
        ByteBuffer bytes = allocate(values.length, Float.BYTES);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    static byte[] of(double[] values) {
        ByteBuffer bytes = allocate(values.length, Double.BYTES);
        bytes.asDoubleBuffer().put(values);
        return bytes.array();
    }

    /** Each with its length in front. */
    static byte[] ofTexts(List<String> texts) {
        List<byte[]> encoded = texts.stream().map(text -> text.getBytes(UTF_8)).toList();
        ByteBuffer bytes = allocate(
                encoded.stream().mapToInt(text -> Integer.BYTES + text.length).sum(), 1);
        encoded.forEach(text -> bytes.putInt(text.length).put(text));
        return bytes.array();
    }

    /** Each as its place, the number of its values, and these. */
    static byte[] ofScores(List<Told> scores) {
        ByteBuffer bytes = allocate(
                scores.stream()
                        .mapToInt(told -> 2 * Integer.BYTES + told.values().length * Double.BYTES)
                        .sum(),
                1);
        for (Told told : scores) {
            bytes.putInt(told.item()).putInt(told.values().length);
            for (double value : told.values()) {
                bytes.putDouble(value);
            }
        }
        return bytes.array();
    }

    static int[] ints(byte[] bytes) {
        int[] values = new int[bytes.length / Integer.BYTES];
        wrap(bytes).asIntBuffer().get(values);
        return values;
    }

    static float[] floats(byte[] bytes) {
        float[] values = new float[bytes.length / Float.BYTES];
        wrap(bytes).asFloatBuffer().get(values);
        return values;
    }

    static double[] doubles(byte[] bytes) {
        double[] values = new double[bytes.length / Double.BYTES];
        wrap(bytes).asDoubleBuffer().get(values);
        return values;
    }

    static List<String> texts(byte[] bytes) {
        ByteBuffer from = wrap(bytes);
        List<String> texts = new ArrayList<>();
        while (from.hasRemaining()) {
            byte[] text = new byte[from.getInt()];
            from.get(text);
            texts.add(new String(text, UTF_8));
        }
        return texts;
    }

    static List<Told> scores(byte[] bytes) {
        ByteBuffer from = wrap(bytes);
        List<Told> scores = new ArrayList<>();
        while (from.hasRemaining()) {
            int item = from.getInt();
            double[] values = new double[from.getInt()];
            for (int i = 0; i < values.length; i++) {
                values[i] = from.getDouble();
            }
            scores.add(new Told(item, values));
        }
        return scores;
    }

    private static ByteBuffer allocate(int count, int size) {
        return ByteBuffer.allocate(Math.multiplyExact(count, size)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer wrap(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
