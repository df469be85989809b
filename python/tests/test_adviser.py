"""The two verbs, against the real service."""

import unittest
from decimal import Decimal
from fractions import Fraction

import numpy as np

import pgkq

from .service_case import ServiceCase


class AdviserTest(ServiceCase):
    def test_few_scores_estimate_the_rewards_of_all(self):
        with pgkq.Adviser(self.folder, select=8) as adviser:
            for seed in range(4):
                items = self.items(seed)
                choice = adviser.ask(items)
                self.assertEqual((len(choice), len(set(choice.indices))), (8, 8))
                self.assertAlmostEqual(choice.weights.sum(), 1, 6)
                rewards = adviser.tell(choice, self.scores(items, choice))
            true = np.array([self.score(item) for item in items])
            self.assertTrue(rewards.complete)
            self.assertEqual(rewards.missing, ())
            self.assertLess(np.sqrt(np.mean((rewards - true) ** 2)), 0.5 * true.std())
            self.assertTrue((rewards.deviation > 0).all())
            self.assertLess(choice.expected_error, choice.random_error)
            self.assertLess(choice.random_error, choice.error_before)
            self.assertEqual((adviser.status()["spent"], adviser.status()["open"]), (32, []))

    def test_corrected_rewards_move_the_scored_items_by_what_their_scores_were_off(self):
        adviser = self.shared(select=5)
        first = self.items(1)
        choice = adviser.ask(first)
        adviser.tell(choice, self.scores(first, choice))
        second = self.items(2)
        choice = adviser.ask(second)
        scores = np.array(self.scores(second, choice))
        expected = adviser.tell(choice, scores)
        # the prediction before the scores is where nothing was moved; the rest is N w (S − m)
        weighted = np.sum(choice.weights * scores)
        untouched = np.delete(expected.corrected, choice.indices)
        predicted = self.prediction(expected, choice, scores)
        np.testing.assert_allclose(
            expected.corrected.mean(),
            (untouched.sum() + predicted.sum()) / len(second) + weighted - np.sum(choice.weights * predicted),
            rtol=1e-9,
        )

    @staticmethod
    def prediction(rewards, choice, scores):
        """m of the scored items, from r = m + N w (S − m)."""
        moved = len(rewards) * choice.weights
        return (rewards.corrected[choice.indices] - moved * scores) / (1 - moved)

    def test_the_same_items_give_the_same_open_round(self):
        adviser = self.shared(select=3)
        items = self.items()
        first = adviser.ask(items)
        again = adviser.ask(items)
        self.assertEqual((first.resumed, again.resumed), (False, True))
        self.assertEqual((again.round, again.ids), (first.round, first.ids))
        self.assertEqual(set(again.in_doubt), set(first.ids))
        self.assertIn(first.round, [each.round for each in adviser.open_rounds()])

    def test_a_program_that_counts_its_rounds_gets_the_same_one_again(self):
        items = self.items()
        with pgkq.Adviser(self.folder, select=3) as adviser:
            choice = adviser.ask(items, round=1)
            told = adviser.tell(choice, self.scores(items, choice))
        with pgkq.Adviser(self.folder, select=3) as adviser:  # as if killed before it heard that
            again = adviser.ask(items, round=1)
            self.assertEqual((again.round, again.ids, again.missing, again.spent), (1, choice.ids, (), 3))
            np.testing.assert_array_equal(adviser.estimates(again).mean, told.mean)
            self.assertEqual(adviser.ask(items, ids=map(str, range(32)), round=np.int64(2)).round, 2)
            with self.assertRaisesRegex(pgkq.InvalidRequest, "round is the number of a round"):
                adviser.ask(items, round="last")
            with self.assertRaisesRegex(pgkq.InvalidRequest, "the next round is 3, not 7"):
                adviser.ask(items, round=7)
            with self.assertRaises(pgkq.ScoreConflict):
                adviser.ask(self.items(1), round=1)

    def test_a_score_may_be_told_again_but_not_another_one(self):
        adviser = self.shared(select=3)
        items = self.items()
        choice = adviser.ask(items)
        scores = self.scores(items, choice)
        first = adviser.tell(choice, scores, costs=[1, 2, 3])
        again = adviser.tell(choice, scores)
        np.testing.assert_array_equal(first.mean, again.mean)
        with self.assertRaises(pgkq.ScoreConflict):
            adviser.tell(choice, [scores[0] + 1, *scores[1:]])
        np.testing.assert_array_equal(adviser.estimates(choice).mean, first.mean)

    def test_scores_may_come_one_by_one(self):
        adviser = self.shared(select=4)
        items = self.items()
        choice = adviser.ask(items)
        scores = self.scores(items, choice)
        partial = adviser.tell(choice, [scores[0], None, scores[2], None])
        self.assertFalse(partial.complete)
        self.assertEqual(set(partial.missing), {choice.ids[1], choice.ids[3]})
        rest = adviser.tell(choice.round, {choice.ids[3]: scores[3], choice.ids[1]: scores[1]})
        self.assertTrue(rest.complete)

    def test_items_that_cannot_be_scored_are_given_up(self):
        adviser = self.shared(select=4)
        items = self.items()
        choice = adviser.ask(items)
        rest = adviser.abandon(choice, choice.ids[:1])
        self.assertEqual(rest.ids, choice.ids[1:])
        self.assertAlmostEqual(rest.weights.sum(), 1, 6)
        self.assertTrue(adviser.tell(rest, self.scores(items, rest)).complete)

    def test_a_second_judge_scores_an_old_round_again(self):
        adviser = self.shared(select=4, judge="cheap")
        items = self.items()
        choice = adviser.ask(items)
        scores = np.array(self.scores(items, choice))
        adviser.tell(choice, scores)
        second = adviser.rescore(choice, judge="dear", select=4)
        self.assertEqual((second.judge, set(second.ids)), ("dear", set(choice.ids)))
        self.assertNotEqual(second.round, choice.round)
        adviser.tell(second, {each: 1.0 for each in second.ids})  # others than before, and no conflict

    def test_the_budget_ends(self):
        with pgkq.Adviser(self.folder, select=4, max_evaluations=6) as adviser:
            items = self.items()
            choice = adviser.ask(items)
            self.assertEqual((choice.spent, choice.left), (4, 2))
            adviser.tell(choice, self.scores(items, choice))
            items = self.items(2)
            choice = adviser.ask(items)
            self.assertEqual((len(choice), choice.left), (2, 0))
            adviser.tell(choice, self.scores(items, choice))
            with self.assertRaises(pgkq.BudgetSpent):
                adviser.ask(self.items(3))

    def test_costs_end_too(self):
        items = self.items()
        with pgkq.Adviser(self.folder, select=4, max_cost=5, cost=0.5) as adviser:
            choice = adviser.ask(items)
            self.assertEqual((len(choice), choice.left), (4, 6))
            adviser.tell(choice, self.scores(items, choice), costs=[2, None, None, None])
            status = adviser.status()
            self.assertEqual((status["cost"], status["cost_of_one"], status["max_cost"]), (3.5, 0.5, 5))
            with self.assertRaisesRegex(pgkq.BudgetSpent, "scores have cost 3.5 of 5"):  # and the next may cost 2
                adviser.ask(self.items(2))
            with pgkq.Adviser(self.folder, max_cost=5, cost=0.5) as second:
                self.assertEqual(second.status()["spent"], 4)
            for other in ({"max_cost": 6}, {"cost": 0.25}):
                (name,) = other
                with self.assertRaisesRegex(pgkq.InvalidRequest, f"runs already, with {name}=.*leave {name} out"):
                    pgkq.Adviser(self.folder, **other).status()
        with self.assertRaisesRegex(pgkq.InvalidRequest, "max_cost: settings of the service"):
            pgkq.Adviser("http://127.0.0.1:9/", max_cost=2)

    def test_costs_are_numbers_of_any_kind(self):
        with pgkq.Adviser(self.folder, max_cost=Decimal("2.5"), cost=Fraction(1, 2)) as adviser:
            status = adviser.status()
            self.assertEqual((status["cost_of_one"], status["max_cost"]), (0.5, 2.5))
            with pgkq.Adviser(self.folder, max_cost=np.float32(2.5), cost=0.5) as second:
                self.assertEqual(second.status()["max_cost"], 2.5)

    def test_owned_scores_are_used_and_neither_asked_for_nor_counted(self):
        items = self.items()
        ids = [f"{self.id()} {i}" for i in range(len(items))]
        owned = {ids[i]: self.score(items[i]) for i in (1, 5, 7)}
        adviser = self.shared(select=3)
        before = adviser.status()["spent"]
        choice = adviser.ask(items, ids, owned=owned)
        self.assertEqual(choice.owned, owned)
        self.assertFalse(set(choice.ids) & set(owned))
        self.assertEqual((len(choice), choice.spent), (3, before + 3))
        adviser.tell(choice, self.scores(items, choice))
        none = adviser.ask(self.items(1), ids=[f"other {i}" for i in range(32)], owned={"other 3": 2.5}, select=0)
        self.assertEqual((len(none), none.spent), (0, before + 3))
        self.assertTrue(adviser.estimates(none).complete)

    def test_what_is_refused_changes_nothing(self):
        adviser = self.shared(select=3)
        items = self.items()
        choice = adviser.ask(items)
        before = adviser.status()
        nan = items.copy()
        nan[3, 1] = np.nan
        for wrong, reason in [
            (lambda: adviser.ask(nan), "3"),
            (lambda: adviser.ask(items[:, :2]), "2"),
            (lambda: adviser.ask(items[:0]), ""),
            (lambda: adviser.ask(items, ids=["a"]), "1"),
            (lambda: adviser.ask(items, ids=["a"] * len(items)), "a"),
            (lambda: adviser.ask(self.items(5), select=-1), "select"),
            (lambda: adviser.ask(self.items(5), select="some"), "auto"),
            (lambda: adviser.tell(choice, [1, np.nan, 2]), ""),
            (lambda: adviser.tell(choice, [[1, 2], [1, 2], [1, 2]]), ""),
            (lambda: adviser.tell(choice, {"nobody": 1}), "nobody"),
            (lambda: adviser.tell(99, {"nobody": 1}), "99"),
            (lambda: adviser.abandon(choice, ["nobody"]), "nobody"),
            (lambda: adviser.estimates(99), "99"),
        ]:
            with self.assertRaisesRegex(pgkq.InvalidRequest, reason):
                wrong()
        self.assertEqual(adviser.status(), before)
        self.assertTrue(adviser.tell(choice, self.scores(items, choice)).complete)


class StepsTest(ServiceCase):
    def episodes(self, seed, count=12):
        rng = np.random.default_rng(seed)
        return [rng.normal(size=(length, 3)) for length in rng.integers(1, 6, count)]

    def test_an_item_of_several_steps_may_have_one_score_for_each(self):
        with pgkq.Adviser(self.folder, select=4, per="step") as adviser:
            episodes = self.episodes(1)
            choice = adviser.ask(episodes)
            rewards = adviser.tell(choice, [episodes[i][:, 0] for i in choice.indices])
            self.assertEqual(len(rewards), len(episodes))
            for i in choice.indices:  # the sum of the steps, since they are known
                self.assertAlmostEqual(rewards[i], episodes[i][:, 0].sum(), 4)
            with self.assertRaises(pgkq.InvalidRequest):
                choice = adviser.ask(self.episodes(2))
                adviser.tell(choice, [1.0] * len(choice))

    def test_many_items_of_several_steps_are_chosen_as_few_are(self):
        episodes = self.episodes(1, 600)  # more lengths than an address should have
        adviser = self.shared(select=3)
        choice = adviser.ask(episodes)
        self.assertTrue(len(choice) == 3 and max(choice.indices) < 600)
        rewards = adviser.tell(choice, [float(episodes[i].sum()) for i in choice.indices])
        self.assertEqual(len(rewards), 600)
        again = adviser.ask(episodes[:40] + episodes[:1], ids=[str(i) for i in range(41)])
        self.assertEqual((len(again), again.owned), (3, {}))

    def test_score_projections_have_the_form_of_the_features(self):
        adviser = self.shared(select=3)
        episodes = self.episodes(1)
        choice = adviser.ask(episodes, projections=[np.tanh(each[:, :2]) for each in episodes])
        self.assertEqual(len(choice), 3)
        with self.assertRaisesRegex(pgkq.InvalidRequest, "projections"):
            adviser.ask(self.episodes(3), projections=[np.ones((1, 2))] * 12)


if __name__ == "__main__":
    unittest.main()
