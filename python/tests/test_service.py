"""The service as a child of this process: its life, its death, and what others see of it."""

import gc
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

import numpy as np

import pgkq

from .lossy import LossyProxy
from .service_case import ServiceCase

HELD = """
import pgkq, sys, time
adviser = pgkq.Adviser(sys.argv[1], select=3)
adviser.status()
print(adviser._child.pid, flush=True)
time.sleep(600)
"""


def lives(pid):
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def await_end(pid):
    while lives(pid):
        time.sleep(0.05)


class ServiceTest(ServiceCase):
    def test_a_killed_service_is_started_again_and_nothing_is_lost(self):
        results = []
        for kill in (False, True):
            with pgkq.Adviser(self.folder.with_name(f"killed {kill}"), select=4) as adviser:
                for seed in range(3):
                    items = self.items(seed)
                    choice = adviser.ask(items)
                    if kill and seed == 2:
                        os.kill(adviser._child.pid, signal.SIGKILL)
                    rewards = adviser.tell(choice, self.scores(items, choice))
                self.assertEqual(adviser.status()["spent"], 12)
                results.append(rewards)
        for name in ("mean", "deviation", "corrected"):
            np.testing.assert_array_equal(getattr(results[0], name), getattr(results[1], name))

    def lossy(self):
        """A service, a proxy that loses its answers, and an adviser behind that."""
        service = self.shared()
        parts = urlsplit(service.url)
        proxy = LossyProxy(parts.hostname, parts.port)
        self.addCleanup(proxy.close)
        adviser = pgkq.Adviser(proxy.url, select=4)
        self.addCleanup(adviser.close)
        return service, proxy, adviser

    def test_answers_that_are_lost_hand_nothing_out_twice(self):
        service, proxy, adviser = self.lossy()
        items = self.items()
        spent = service.status()["spent"]

        def spends(count, call):
            nonlocal spent
            adviser.status()  # so that the connection is open, and the next answer is the one that is lost
            proxy.lose(2)
            lost = proxy.lost
            answer = call()
            self.assertEqual(proxy.lost, lost + 2)
            spent += count
            self.assertEqual(service.status()["spent"], spent)
            return answer

        begun = spends(4, lambda: adviser.ask(items))
        self.assertEqual((begun.resumed, begun.in_doubt, begun.spent), (False, (), spent))
        resumed = spends(4, lambda: adviser.ask(items))
        self.assertEqual((resumed.resumed, set(resumed.in_doubt)), (True, set(begun.ids)))
        named = spends(4, lambda: adviser.ask(self.items(1), [f"{self.id()} {i}" for i in range(32)]))
        self.assertEqual((named.resumed, named.in_doubt), (False, ()))
        replaced = spends(1, lambda: adviser.abandon(named, named.ids[:1], replace=True))
        self.assertEqual(len(replaced), 4)
        spends(0, lambda: adviser.tell(begun, self.scores(items, begun)))
        second = spends(4, lambda: adviser.rescore(begun, "another"))
        self.assertEqual(set(second.ids), set(begun.ids))
        self.assertEqual(second.resumed, False)
        closed = spends(0, lambda: adviser.abandon(second))
        self.assertEqual((closed.round, len(closed), closed.missing), (second.round, 0, ()))

    def test_a_question_that_is_repeated_after_a_timeout_hands_nothing_out_twice(self):
        service, proxy, adviser = self.lossy()
        items = self.items()
        spent = service.status()["spent"]

        def repeated(call, between=lambda: None):
            adviser.close()  # the next connection has another timeout
            adviser._timeout = 0.3
            proxy.withhold()
            with self.assertRaisesRegex(pgkq.ServiceFailed, "did not answer within 0.3 s; repeat the call"):
                call()
            adviser._timeout = None
            self.assertTrue(proxy.withheld.wait(60))
            between()
            return call()

        first = repeated(lambda: adviser.ask(items))
        self.assertEqual((first.resumed, first.in_doubt, first.spent), (False, (), spent + 4))
        again = adviser.ask(items)  # answered, so this is another question
        self.assertEqual((again.round, again.resumed, again.spent), (first.round, True, spent + 8))

        ids = [f"{self.id()} {i}" for i in range(32)]
        others = []
        named = repeated(lambda: adviser.ask(self.items(1), ids), lambda: others.append(adviser.ask(self.items(2))))
        self.assertNotEqual(others[0].round, named.round)
        self.assertEqual((named.resumed, set(named.ids) <= set(ids), named.spent), (False, True, spent + 16))

        adviser.tell(first, self.scores(items, first))
        second = repeated(lambda: adviser.rescore(first, f"{self.id()} judge"))
        self.assertEqual((second.resumed, second.spent), (False, spent + 20))

    def test_the_service_ends_with_its_parent_even_if_that_is_killed(self):
        parent = subprocess.Popen([sys.executable, "-c", HELD, str(self.folder)], stdout=subprocess.PIPE, text=True)
        child = int(parent.stdout.readline())
        self.assertTrue(lives(child))
        parent.kill()
        parent.communicate()
        await_end(child)

    def test_a_later_process_finds_open_rounds(self):
        items = self.items()
        with pgkq.Adviser(self.folder, select=3) as adviser:
            choice = adviser.ask(items)
            pid = adviser._child.pid
        self.assertFalse(lives(pid))
        with pgkq.Adviser(self.folder, select=3) as adviser:
            (found,) = adviser.open_rounds()
            self.assertEqual((found.round, found.ids, found.indices.tolist()), (choice.round, choice.ids, choice.indices.tolist()))
            self.assertTrue(adviser.tell(found, self.scores(items, found)).complete)

    def test_two_advisers_of_a_folder_share_a_service(self):
        choice = self.shared(select=3).ask(self.items())
        with pgkq.Adviser(self.shared_folder(), select=3) as second:
            self.assertEqual(second.ask(self.items()).round, choice.round)
            self.assertIsNone(second._child)
            self.assertIn(choice.round, second.status()["open"])
        with self.assertRaisesRegex(pgkq.InvalidRequest, "with max_evaluations=None, not 5"):
            pgkq.Adviser(self.shared_folder(), max_evaluations=5).status()
        named = self.shared_folder() / "service.json"
        named.rename(self.shared_folder() / "hidden.json")
        with mock.patch.object(pgkq.adviser, "SECONDS_BETWEEN", 0), self.assertRaisesRegex(pgkq.FolderInUse, "another process"):
            pgkq.Adviser(self.shared_folder()).status()
        (self.shared_folder() / "hidden.json").rename(named)

    def test_a_killed_service_is_not_confused_with_another_that_has_its_address_now(self):
        before = self.shared().status()
        named = json.loads((self.shared_folder() / "service.json").read_text())
        with subprocess.Popen([sys.executable, "-c", ""]) as ended:
            pass
        self.folder.mkdir()
        (self.folder / "service.json").write_text(json.dumps({**named, "pid": ended.pid}))
        with pgkq.Adviser(self.folder, select=3) as adviser:
            adviser.ask(self.items())
        self.assertEqual(self.shared().status(), before)

    def test_a_forgotten_adviser_ends_its_service(self):
        adviser = pgkq.Adviser(self.folder)
        adviser.status()
        pid = adviser._child.pid
        del adviser
        gc.collect()
        await_end(pid)

    def test_an_adviser_may_be_used_by_several_threads(self):
        adviser = self.shared(select=2)
        before = adviser.status()["spent"]
        complete = []

        def play(seed):
            items = self.items(seed)
            choice = adviser.ask(items)
            complete.append(adviser.tell(choice, self.scores(items, choice)).complete)

        threads = [threading.Thread(target=play, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((complete, adviser.status()["spent"]), ([True] * 6, before + 12))

    def test_a_forked_process_neither_disturbs_the_service_nor_keeps_it_alive(self):
        adviser = pgkq.Adviser(self.folder, select=3)
        choice = adviser.ask(self.items())
        pid = adviser._child.pid
        context = multiprocessing.get_context("fork")
        answers, go = context.Queue(), context.Event()

        def forked():
            answers.put(adviser.ask(self.items()).round)
            go.wait()

        process = context.Process(target=forked)
        process.start()
        self.assertEqual(answers.get(), choice.round)
        self.assertEqual(adviser.status()["open"], [choice.round])
        adviser.close()
        self.assertFalse(lives(pid))
        go.set()
        process.join()

    def test_why_a_service_cannot_start_is_what_the_command_says(self):
        self.folder.parent.mkdir(exist_ok=True)
        self.folder.write_text("a file")
        with self.assertRaisesRegex(pgkq.ServiceFailed, self.folder.name):
            pgkq.Adviser(self.folder).status()
        with self.assertRaisesRegex(pgkq.ServiceFailed, "does not answer"):
            pgkq.Adviser("http://127.0.0.1:9/").status()
