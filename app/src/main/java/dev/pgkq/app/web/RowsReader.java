package dev.pgkq.app.web;

import dev.pgkq.rewards.request.JsonTokens;
import java.util.Arrays;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads rows of numbers, token by token, so that megabytes of them need no more memory than the numbers: {@code [[1, 2], [3, 4]]} are
 * two items of one step, {@code [[[1, 2], [3, 4]], [[5, 6]]]} an item of two steps and one of one step.
 */
final class RowsReader {
    private static final int FIRST_CAPACITY = 1 << 10;

    private final String name;
    private final JsonParser parser;
    private float[] values = new float[FIRST_CAPACITY];
    private int size;
    private int[] starts = new int[FIRST_CAPACITY];
    private int items;
    private int steps;
    private int width;
    /** 0 before it is known, then 1 or 2: how many lists there are around the numbers of an item. */
    private int depth;

    private RowsReader(String name, JsonParser parser) {
        this.name = name;
        this.parser = parser;
    }

    /**
     * What was read.
     *
     * @param starts the step at which each item starts, and one more entry: the number of all steps
     * @param values one row for each step
     * @param width numbers in a row
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Rows(int[] starts, float[] values, int width) {}

    /**
     * Reads the value of a field, which comes next.
     *
     * @throws HttpError if it has another form
     */
    static Rows read(String name, JsonParser parser) {
        return new RowsReader(name, parser).read();
    }

    private Rows read() {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw wrong("must be a list of rows, but has " + JsonTokens.described(parser.currentToken()));
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.START_ARRAY) {
                throw wrong("must be a list of rows, but item " + items + " is " + JsonTokens.described(token));
            }
            item();
        }
        return new Rows(Arrays.copyOf(starts, items + 1), Arrays.copyOf(values, size), width);
    }

    private void item() {
        JsonToken first = parser.nextToken();
        int found = first == JsonToken.START_ARRAY ? 2 : 1;
        if (depth != 0 && depth != found) {
            throw wrong("mixes items that are a row with items that are a list of rows; item " + items
                    + " differs from those before");
        }
        depth = found;
        if (found == 1) {
            row(first);
        } else {
            for (JsonToken token = first; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                if (token != JsonToken.START_ARRAY) {
                    throw wrong("must have rows only in item " + items + ", but has " + JsonTokens.described(token));
                }
                row(parser.nextToken());
            }
        }
        items++;
        if (items == starts.length) {
            starts = Arrays.copyOf(starts, 2 * items);
        }
        starts[items] = steps;
    }

    private void row(JsonToken first) {
        int count = 0;
        for (JsonToken token = first; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
                throw wrong("must have numbers only in item " + items + ", but has " + JsonTokens.described(token));
            }
            float value = (float) parser.getDoubleValue();
            if (!Float.isFinite(value)) {
                throw wrong("must be finite, but number " + count + " of item " + items + " is " + parser.getString());
            }
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
            count++;
        }
        if (steps > 0 && count != width) {
            throw wrong("must have rows of one length, but item " + items + " has a row of " + count
                    + " numbers and those before had " + width);
        }
        width = count;
        steps++;
    }

    private HttpError wrong(String what) {
        return HttpError.badRequest("\"" + name + "\" " + what);
    }
}
