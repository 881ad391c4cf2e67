"""Run from the folder of the skill: python3 -m unittest discover -s tests"""

import unittest
import urllib.error

from scripts import summarise

PAGE = b"<h1>Today</h1><p>It rains. It will not stop.</p><h2>Tomorrow</h2><p>It snows.</p>"


class Summaries(unittest.TestCase):
    def test_headings_and_first_sentences(self):
        summarise.keep("news", PAGE)
        self.assertEqual(summarise.summarise("news"), ["Today: It rains", "Tomorrow: It snows."])

    def test_a_page_that_cannot_be_fetched_is_an_error(self):
        with self.assertRaises(urllib.error.URLError):
            summarise.fetch("docs")


if __name__ == "__main__":
    unittest.main()
