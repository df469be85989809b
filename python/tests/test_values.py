"""What needs no service."""

import io
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from unittest import mock

import numpy as np

import pgkq
from pgkq import command, connection, errors
from pgkq.adviser import _by_id, _steps

ANSWER = {
    "round": 7,
    "indices": [4, 1],
    "ids": ["e", "b"],
    "weights": [0.75, 0.25],
    "judge": "",
    "resumed": True,
    "in_doubt": ["b"],
    "owned": {"a": 2.5},
    "expected_error": None,
    "random_error": None,
    "error_before": None,
    "spent": 2,
    "left": None,
}


class ChoiceTest(unittest.TestCase):
    def test_has_what_the_service_answered(self):
        choice = pgkq.Choice.of(ANSWER)
        self.assertEqual(choice.round, 7)
        self.assertEqual([choice.indices.tolist(), choice.weights.tolist()], [[4, 1], [0.75, 0.25]])
        self.assertEqual((choice.ids, choice.in_doubt, choice.owned), (("e", "b"), ("b",), {"a": 2.5}))
        self.assertEqual((choice.expected_error, choice.left, len(choice)), (None, None, 2))

    def test_indices_select_rows_even_if_there_are_none(self):
        nothing = pgkq.Choice.of({**ANSWER, "indices": [], "ids": [], "weights": []})
        self.assertEqual(np.zeros((3, 2))[nothing.indices].shape, (0, 2))

    def test_scores_are_matched_by_position_or_by_id_and_none_stands_for_unknown(self):
        choice = pgkq.Choice.of(ANSWER)
        self.assertEqual(_by_id(choice, [1, None]), {"e": 1.0})
        self.assertEqual(_by_id(choice, np.array([1.5, 2.5], np.float32)), {"e": 1.5, "b": 2.5})
        self.assertEqual(_by_id(7, {"b": np.array([1, 2])}), {"b": [1.0, 2.0]})
        with self.assertRaisesRegex(pgkq.InvalidRequest, "round 7 has 2 chosen items, but 3 values were given"):
            _by_id(choice, [1, 2, 3])
        with self.assertRaisesRegex(pgkq.InvalidRequest, "not only the number of its round"):
            _by_id(7, [1, 2])
        for scores in (["good", "bad"], ["1", "2"], [1, 2j], ""):
            with self.assertRaisesRegex(pgkq.InvalidRequest, "are numbers|2 chosen items"):
                _by_id(choice, scores)
        with self.assertRaisesRegex(pgkq.InvalidRequest, "a list in the order of the chosen items, or a dictionary by id, not 5"):
            _by_id(choice, 5)


class RewardsTest(unittest.TestCase):
    rewards = pgkq.Rewards.of(
        {"round": 1, "complete": False, "missing": ["x"], "mean": [1, 2], "deviation": [None, 0.5], "corrected": [1, 9]}
    )

    def test_are_their_mean_as_an_array(self):
        self.assertEqual(np.asarray(self.rewards).tolist(), [1.0, 2.0])
        self.assertEqual((self.rewards - np.mean(self.rewards)).tolist(), [-0.5, 0.5])
        self.assertEqual((2 * self.rewards > 2).tolist(), [False, True])
        self.assertEqual(np.stack([self.rewards, self.rewards]).tolist(), [[1.0, 2.0], [1.0, 2.0]])
        self.assertEqual(np.argsort(self.rewards).tolist(), [0, 1])
        self.assertEqual(np.asarray(self.rewards, dtype=np.float32).dtype, np.float32)
        self.assertEqual((len(self.rewards), self.rewards[1], self.rewards[:1].tolist()), (2, 2.0, [1.0]))

    def test_unknown_deviations_are_nan(self):
        self.assertTrue(np.isnan(self.rewards.deviation[0]))


class FeaturesTest(unittest.TestCase):
    def test_a_matrix_has_one_row_for_each_item(self):
        rows, lengths = _steps([[1, 2], [3, 4], [5, 6]])
        self.assertEqual((rows.dtype, rows.tolist(), lengths), (np.dtype("<f4"), [[1, 2], [3, 4], [5, 6]], None))

    def test_a_list_of_matrices_has_items_of_several_steps(self):
        rows, lengths = _steps([np.ones((2, 3)), np.zeros((1, 3))])
        self.assertEqual((rows.shape, lengths), ((3, 3), [2, 1]))
        self.assertEqual(connection_of(rows, lengths), [[[1, 1, 1], [1, 1, 1]], [[0, 0, 0]]])

    def test_a_cube_has_items_of_the_same_length(self):
        cube = np.arange(24).reshape(2, 3, 4)
        rows, lengths = _steps(cube)
        self.assertEqual((rows.tolist(), lengths), (cube.reshape(6, 4).tolist(), [3, 3]))

    def test_other_shapes_are_refused(self):
        for features, reason in [
            (np.ones(3), "not 1-dimensional"),
            ([np.ones((2, 3)), np.ones((2, 4))], "the same number of features"),
            ([["a"]], "are numbers"),
            ([[1], [2, 3]], "are numbers"),
            (np.ones((2, 2)) * 1j, "are numbers"),
        ]:
            with self.assertRaisesRegex(pgkq.InvalidRequest, reason):
                _steps(features)

    def test_a_body_is_an_npy_file(self):
        array = np.arange(6, dtype=np.float32).reshape(3, 2).T  # not contiguous
        np.testing.assert_array_equal(np.load(io.BytesIO(connection.npy(array))), array)


def connection_of(rows, lengths):
    from pgkq.adviser import _listed

    return _listed(rows, lengths)


class ErrorsTest(unittest.TestCase):
    def test_every_status_has_its_exception_with_the_sentence_of_the_service(self):
        for status, kind in [
            (400, pgkq.InvalidRequest),
            (402, pgkq.BudgetSpent),
            (404, pgkq.InvalidRequest),
            (409, pgkq.ScoreConflict),
            (413, pgkq.InvalidRequest),
            (423, pgkq.FolderInUse),
            (500, pgkq.ServiceFailed),
            (507, pgkq.DiskFull),
        ]:
            fault = errors.of_status(status, "why")
            self.assertIs(type(fault), kind)
            self.assertEqual(str(fault), "why")

    def test_invalid_arguments_are_value_errors(self):
        with self.assertRaises(ValueError):
            pgkq.Adviser("somewhere", per="episode")
        with self.assertRaisesRegex(pgkq.InvalidRequest, "pgkq advise"):
            pgkq.Adviser("http://127.0.0.1:1/", max_evaluations=3)
        for wrong in (-1, 2.5, "many"):
            with self.assertRaisesRegex(pgkq.InvalidRequest, "a whole number from 0"):
                pgkq.Adviser("somewhere", max_evaluations=wrong)
        for wrong in (-1, float("nan"), float("inf"), "1", 1j, 10**400, Decimal("sNaN"), Fraction(-1, 2)):
            for name in ("max_cost", "cost"):
                with self.assertRaisesRegex(pgkq.InvalidRequest, f"{name} is a number from 0, not"):
                    pgkq.Adviser("somewhere", **{name: wrong})
        with self.assertRaisesRegex(pgkq.InvalidRequest, "max_cost is more than 0"):
            pgkq.Adviser("somewhere", max_cost=0)
        pgkq.Adviser("somewhere", cost=0)

    def test_what_is_no_address_is_refused(self):
        for wrong in ("http://", "http://127.0.0.1:x/", "http://127.0.0.1:99999/"):
            with self.assertRaisesRegex(pgkq.ServiceFailed, "is not the address of a service"):
                pgkq.Adviser(wrong).status()


class FolderTest(unittest.TestCase):
    def test_stays_where_it_is_if_the_program_goes_elsewhere(self):
        adviser = pgkq.Adviser("judge")
        start = os.getcwd()
        self.addCleanup(os.chdir, start)
        named = shlex.join([sys.executable, "-c", "import sys; sys.exit(sys.argv[2])"])  # says the folder that it is given
        with tempfile.TemporaryDirectory() as elsewhere, mock.patch.dict(os.environ, {"PGKQ_COMMAND": named}):
            os.chdir(elsewhere)
            with self.assertRaises(pgkq.ServiceFailed) as raised:
                adviser.status()
            os.chdir(start)
        self.assertEqual(str(raised.exception), os.path.join(start, "judge"))


class CommandTest(unittest.TestCase):
    def test_the_variable_names_another_program_with_arguments(self):
        with mock.patch.dict(os.environ, {"PGKQ_COMMAND": f"'{sys.executable}' -m pgkq"}):
            self.assertEqual(command.command(), [sys.executable, "-m", "pgkq"])

    def test_a_variable_that_names_no_program_is_an_error_that_says_so(self):
        for named, reason in [
            ("/nowhere/pgkq", "does not exist or is not executable: /nowhere/pgkq; unset it"),
            ("'/nowhere", "No closing quotation"),
            ("''", "does not exist"),
            ("false", "false ended with exit code 1 before the service was ready"),
        ]:
            with mock.patch.dict(os.environ, {"PGKQ_COMMAND": named}):
                with self.assertRaisesRegex(pgkq.ServiceFailed, reason):
                    pgkq.Adviser("nowhere").status()

    def test_a_program_that_chooses_nothing_is_an_error(self):
        with mock.patch.dict(os.environ, {"PGKQ_COMMAND": "true"}):
            with self.assertRaisesRegex(pgkq.CommandFailed, "wrote no choice"):
                pgkq.select("nowhere.npz")

    def test_a_variable_that_names_the_package_itself_does_not_start_it_for_ever(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "site-packages"
            shutil.copytree(Path(pgkq.__file__).parent, copy / "pgkq", ignore=shutil.ignore_patterns("__pycache__"))
            words = [sys.executable, "-m", "pgkq"]
            named = {**os.environ, "PYTHONPATH": str(copy), "PGKQ_COMMAND": shlex.join(words)}
            done = subprocess.run(words, env=named, cwd=folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "^pgkq: this installation of pgkq has no program: [^\n]*\n$")

    def test_names_of_files_are_utf8_where_the_locale_knows_ascii_only(self):
        for given, expected in [
            ({}, {"LC_CTYPE": "C.UTF-8"}),
            ({"LANG": "C"}, {"LANG": "C", "LC_CTYPE": "C.UTF-8"}),
            ({"LC_ALL": "POSIX"}, {"LC_ALL": "C.UTF-8"}),
            ({"LANG": "de_DE.UTF-8"}, {"LANG": "de_DE.UTF-8"}),
        ]:
            with mock.patch.dict(os.environ, {**given, "VIRTUAL_ENV": "/venv"}, clear=True):
                self.assertEqual(command.environment(), {**expected, "VIRTUAL_ENV": "/venv"})

    def test_python_runs_in_the_environment_of_the_package_unless_another_is_active(self):
        with mock.patch.dict(os.environ, clear=True):
            for prefix, expected in [("/mine", "/mine"), (sys.base_prefix, None)]:
                with mock.patch.object(sys, "prefix", prefix):
                    self.assertEqual(command.environment().get("VIRTUAL_ENV"), expected)

    def test_a_sentence_is_what_the_command_said_without_warnings_of_java(self):
        said = "WARNING: Using incubator modules: jdk.incubator.vector\npgkq: no such file\n"
        self.assertEqual(command.sentence(said), "no such file")
