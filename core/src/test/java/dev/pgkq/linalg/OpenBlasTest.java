package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.linalg.Blas.Transpose;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenBlasTest extends BlasContract {
    @Override
    Blas blas() {
        return Blas.best();
    }

    @Test
    void isTheOneInUse() {
        assertThat(Blas.whyNotNative()).isEmpty();
        assertThat(Blas.best().description()).startsWith("OpenBLAS");
    }

    @Test
    void aDamagedLibraryInTheCacheIsUnpackedAnew(@TempDir Path cache) throws Exception {
        List<String> libraries = OpenBlasLibrary.librariesInLoadOrder().subList(0, 1);
        Path library = OpenBlasLibrary.unpacked(libraries, cache).resolve(libraries.getFirst());
        byte[] whole = Files.readAllBytes(library);
        Files.write(library, Arrays.copyOf(whole, whole.length / 2));
        assertThat(OpenBlasLibrary.unpacked(libraries, cache).resolve(libraries.getFirst()))
                .isEqualTo(library)
                .hasBinaryContent(whole);
    }

    @Test
    void refusesArraysThatAreTooSmallInsteadOfWritingBeyondThem() {
        assertThatThrownBy(() -> blas().multiply(
                                Transpose.NO,
                                Transpose.NO,
                                2,
                                2,
                                2,
                                new float[4],
                                0,
                                new float[4],
                                0,
                                0f,
                                new float[4],
                                1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesArraysOfDoublesThatAreTooSmall() {
        double[] four = new double[4];
        assertThatThrownBy(() -> blas().multiply(Transpose.NO, Transpose.YES, 2, 2, 2, four, 0, four, 0, 0, four, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> blas().multiply(Transpose.NO, Transpose.YES, 2, 2, 3, four, 0, four, 0, 0, four, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
