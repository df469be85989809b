package dev.pgkq.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource({
        "NaN,n/a",
        "0,0",
        "-0.5,-0.500",
        "3.14159,3.14",
        "123.456,123.5",
        "-9000.4,-9000",
        "12345678,1.2e+07",
        "0.00012,1.2e-04",
        "Infinity,inf",
        "-Infinity,-inf"
    })
    void numbersAreBrief(double value, String text) {
        assertThat(Numbers.brief(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "9999,9999", "10000,10.0k", "999960,1.0M", "12345678,12.3M", "NaN,n/a"})
    void countsAreBrief(double value, String text) {
        assertThat(Numbers.count(value)).isEqualTo(text);
    }
}
