package dev.pgkq.app.logged;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class NpyArrayTest {
    /** More than a read takes at once, and not a multiple of it. */
    private static final int MANY = 40_001;

    private static void assertValues(byte[] file) throws IOException {
        float[] values =
                NpyArray.open("a", new ByteArrayInputStream(file), file.length).floats();
        assertThat(values).hasSize(MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(values[i]).isEqualTo(i * 0.5F - 7);
        }
    }

    @Test
    void largeArraysOfFloatsAreRead() throws IOException {
        float[] values = new float[MANY];
        for (int i = 0; i < MANY; i++) {
            values[i] = i * 0.5F - 7;
        }
        assertValues(NpyFiles.floats("(" + MANY + ",)", values));
    }

    @Test
    void largeArraysOfDoublesAreRead() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MANY * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < MANY; i++) {
            bytes.putDouble(i * 0.5 - 7);
        }
        assertValues(
                NpyFiles.array("{'descr': '<f8', 'fortran_order': False, 'shape': (" + MANY + ",), }", bytes.array()));
    }
}
