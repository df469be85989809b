/** Policies for use elsewhere: as ONNX models, and as safetensors files without the state of training. */
@NullMarked
package dev.pgkq.app.export;

import org.jspecify.annotations.NullMarked;
