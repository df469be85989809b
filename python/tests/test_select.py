"""Choosing among logged episodes."""

import numpy as np

import pgkq
from pgkq.command import run

from .service_case import ServiceCase


class SelectTest(ServiceCase):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(1)
        self.lengths = rng.integers(3, 9, 20)
        self.observations = [np.cumsum(rng.normal(size=(n, 2)), axis=0) for n in self.lengths]
        self.actions = [rng.normal(size=(n, 1)) for n in self.lengths]

    def test_arrays_are_chosen_from_as_their_file_is(self):
        chosen = pgkq.select(self.observations, 4, actions=self.actions, weights="sum", seed=3)
        file = self.folder.with_suffix(".npz")
        np.savez(
            file,
            observations=np.concatenate(self.observations),
            actions=np.concatenate(self.actions),
            lengths=self.lengths,
        )
        printed = run("select", str(file), "--n", "4", "--weights", "sum", "--seed", "3")
        from_file = pgkq.select(file, 4, weights="sum", seed=3)
        self.assertEqual(chosen.indices.tolist(), from_file.indices.tolist())
        np.testing.assert_array_equal(chosen.weights, from_file.weights)
        self.assertAlmostEqual(chosen.weights.sum(), 1, 9)
        self.assertIn(f"  wce     {chosen.error:.3g}", printed)
        self.assertIn(f"  random  {chosen.random_error:.3g}", printed)
        for index in chosen.indices:
            self.assertRegex(printed, rf"(?m)^ +{index}  ")

    def test_padded_arrays_have_lengths(self):
        longest = max(self.lengths)
        padded = [np.stack([np.pad(each, ((0, longest - len(each)), (0, 0))) for each in part]) for part in (self.observations, self.actions)]
        expected = pgkq.select(self.observations, 4, actions=self.actions)
        chosen = pgkq.select(padded[0], 4, actions=padded[1], lengths=self.lengths)
        self.assertEqual(chosen.indices.tolist(), expected.indices.tolist())

    def test_names_in_a_file_are_returned(self):
        file = self.folder.with_suffix(".jsonl")
        file.write_text("".join(f'{{"episode": "day, {i}", "observations": [[{i}]], "actions": [[0]]}}\n' for i in range(3)))
        chosen = pgkq.select(str(file), 3)
        self.assertEqual(chosen.ids, ("day, 0", "day, 1", "day, 2"))
        self.assertIsNone(chosen.error)

    def test_mistakes_are_errors_in_one_sentence(self):
        with self.assertRaisesRegex(pgkq.InvalidRequest, "needs the actions"):
            pgkq.select(self.observations)
        with self.assertRaisesRegex(pgkq.InvalidRequest, "as many actions"):
            pgkq.select(self.observations, actions=self.actions[1:])
        with self.assertRaisesRegex(pgkq.CommandFailed, "^[^\n]*nowhere.npz[^\n]*$"):
            pgkq.select("nowhere.npz")
        with self.assertRaisesRegex(pgkq.CommandFailed, "quadrature"):
            pgkq.select(self.observations, actions=self.actions, quadrature="magic")
