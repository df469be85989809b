package dev.pgkq.app.config;

import java.math.BigDecimal;

/** Numbers as people write them: 0.0003, not 3.0E-4. */
final class PlainNumber {
    private PlainNumber() {}

    static String of(double value) {
        return Double.isInfinite(value)
                ? Double.toString(value)
                : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
