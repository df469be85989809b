"""Checks an ONNX model and prints its metadata and what it computes, as JSON: outputs.py MODEL OBSERVATIONS."""

import json
import sys

import numpy as np
import onnx
import onnxruntime

model, observations = sys.argv[1:]
onnx.checker.check_model(onnx.load(model), full_check=True)
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
(inputs,) = session.get_inputs()
rows = np.fromfile(observations, dtype="<f4").reshape(-1, inputs.shape[1])
names = [output.name for output in session.get_outputs()]
whole = session.run(None, {inputs.name: rows})
first = session.run(None, {inputs.name: rows[:1]})
assert all(value.shape[0] == len(rows) for value in whole) and all(value.shape[0] == 1 for value in first)
meta = session.get_modelmeta()
result = {name: value.astype(np.float64).reshape(-1).tolist() for name, value in zip(names, whole)}
json.dump({"outputs": result, "producer": meta.producer_name, "metadata": meta.custom_metadata_map}, sys.stdout)
