package dev.pgkq.app.desk;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Who waits for rewards.
 *
 * @param orders what he sees of them while they are out
 * @param tell tells him what he should know
 * @param stop whether he wants to stop
 */
public record Customer(Orders orders, Consumer<String> tell, BooleanSupplier stop) {}
