package dev.pgkq.app.export;

import dev.pgkq.rewards.files.Protobuf;
import dev.pgkq.state.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/**
 * A graph of ONNX operators, to be built from its input to its outputs. Values are named; an operator takes the names of its
 * inputs and has one name for its output, unless it is a split. These messages of ONNX are written, with the numbers of
 * their fields:
 *
 * <pre>
 * ModelProto     { int64 ir_version = 1; string producer_name = 2; string producer_version = 3; string doc_string = 6;
 *                  GraphProto graph = 7; repeated OperatorSetIdProto opset_import = 8;
 *                  repeated StringStringEntryProto metadata_props = 14 }
 * GraphProto     { repeated NodeProto node = 1; string name = 2; repeated TensorProto initializer = 5;
 *                  repeated ValueInfoProto input = 11; repeated ValueInfoProto output = 12 }
 * NodeProto      { repeated string input = 1; repeated string output = 2; string name = 3; string op_type = 4;
 *                  repeated AttributeProto attribute = 5 }
 * AttributeProto { string name = 1; int64 i = 3; AttributeType type = 20 }
 * TensorProto    { repeated int64 dims = 1; int32 data_type = 2; string name = 8; bytes raw_data = 9 }
 * ValueInfoProto { string name = 1; TypeProto type = 2; string doc_string = 3 }
 * TypeProto      { Tensor tensor_type = 1 }    Tensor { int32 elem_type = 1; TensorShapeProto shape = 2 }
 * TensorShapeProto { repeated Dimension dim = 1 }    Dimension { int64 dim_value = 1; string dim_param = 2 }
 * </pre>
 */
final class OnnxGraph {
    /** Of 2021; every runtime that is in use reads it. */
    private static final int OPERATOR_SET = 13;
    /** The version of the file format that came with it. */
    private static final int FILE_FORMAT = 7;

    private static final int INT_ATTRIBUTE = 2;
    private static final String BATCH = "batch";

    /** Types of elements. */
    enum Element {
        FLOAT(1),
        INT64(7);

        private final int number;

        Element(int number) {
            this.number = number;
        }
    }

    private final Protobuf graph = new Protobuf().text(2, "policy");
    private int nodes;

    /** Declares an input with one row for each element of a batch. */
    String input(String name, int width, String meaning) {
        graph.message(11, described(name, Element.FLOAT, width, meaning));
        return name;
    }

    /** Declares a value as an output with one row for each element of a batch. */
    void output(String name, Element type, int width, String meaning) {
        graph.message(12, described(name, type, width, meaning));
    }

    private static Protobuf described(String name, Element type, int width, String meaning) {
        Protobuf shape =
                new Protobuf().message(1, new Protobuf().text(2, BATCH)).message(1, new Protobuf().integer(1, width));
        Protobuf tensor = new Protobuf().integer(1, type.number).message(2, shape);
        return new Protobuf()
                .text(1, name)
                .message(2, new Protobuf().message(1, tensor))
                .text(3, meaning);
    }

    /** Adds constant numbers. */
    String constant(String name, Tensor tensor) {
        ByteBuffer bytes = littleEndian(tensor.values().length * Float.BYTES);
        bytes.asFloatBuffer().put(tensor.values());
        return constant(name, Element.FLOAT, tensor.shape(), bytes.array());
    }

    /** Adds one number. */
    String constant(String name, float value) {
        return constant(name, new Tensor(new int[0], new float[] {value}));
    }

    /** Adds whole numbers. */
    String constant(String name, int... values) {
        ByteBuffer bytes = littleEndian(values.length * Long.BYTES);
        for (int value : values) {
            bytes.putLong(value);
        }
        return constant(name, Element.INT64, new int[] {values.length}, bytes.array());
    }

    private static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private String constant(String name, Element type, int[] shape, byte[] bytes) {
        Protobuf tensor = new Protobuf();
        for (int extent : shape) {
            tensor.integer(1, extent);
        }
        graph.message(5, tensor.integer(2, type.number).text(8, name).bytes(9, bytes));
        return name;
    }

    /** Adds an operator without attributes. */
    String node(String operator, String output, String... inputs) {
        return node(operator, Map.of(), output, inputs);
    }

    /** Adds an operator with attributes that are whole numbers. */
    String node(String operator, Map<String, Integer> attributes, String output, String... inputs) {
        node(operator, attributes, List.of(output), List.of(inputs));
        return output;
    }

    /** Adds an operator with several outputs. */
    void node(String operator, Map<String, Integer> attributes, List<String> outputs, List<String> inputs) {
        Protobuf node = new Protobuf();
        inputs.forEach(name -> node.text(1, name));
        outputs.forEach(name -> node.text(2, name));
        node.text(3, operator + "_" + nodes++).text(4, operator);
        attributes.forEach((name, value) ->
                node.message(5, new Protobuf().text(1, name).integer(3, value).integer(20, INT_ATTRIBUTE)));
        graph.message(1, node);
    }

    /** The model file of this graph. */
    byte[] model(String producer, String version, Map<String, String> metadata) {
        Protobuf model = new Protobuf()
                .integer(1, FILE_FORMAT)
                .text(2, producer)
                .text(3, version)
                .message(7, graph)
                .message(8, new Protobuf().text(1, "").integer(2, OPERATOR_SET));
        metadata.forEach(
                (key, value) -> model.message(14, new Protobuf().text(1, key).text(2, value)));
        return model.toBytes();
    }
}
