# SPDX-License-Identifier: MIT
"""Unit tests of models.py: python3 test_models.py"""

import random
import unittest

from models import (Equations, forward_selection, gradient, least_squares, non_negative, predict,
                    solve)


def equations_of(rows, model):
    """Equations whose values are exactly those of a model."""
    return Equations.of_rows(rows, [predict(model, row) for row in rows], [1.0] * len(rows))


def random_rows(count, columns, seed=1):
    """Rows of positive numbers."""
    source = random.Random(seed)
    return [[source.uniform(1, 10) for _ in range(columns)] for _ in range(count)]


class Models(unittest.TestCase):
    def assert_near(self, model, expected):
        """Coefficients are equal but for rounding."""
        self.assertEqual(len(model), len(expected))
        for a, b in zip(model, expected):
            self.assertAlmostEqual(a, b, places=6)

    def test_line_through_points(self):
        # 1, 3 and 5 at 0, 1 and 2: 1 + 2 x.
        equations = Equations.of_rows([[1, 0], [1, 1], [1, 2]], [1, 3, 5], [1, 1, 1])
        self.assert_near(least_squares(equations), [1, 2])

    def test_mean_by_weights(self):
        # Errors of the second row count twice, their squares four times: (0 + 4 * 5) / 5.
        equations = Equations.of_rows([[1], [1]], [0, 5], [1, 2])
        self.assert_near(least_squares(equations), [4])

    def test_model_is_found_again(self):
        model = [3, 0, -2, 7, 1]
        self.assert_near(least_squares(equations_of(random_rows(20, 5), model)), model)

    def test_dependent_column_is_left_out(self):
        rows = [row + [row[0] + 2 * row[1]] for row in random_rows(20, 3)]
        self.assert_near(least_squares(equations_of(rows, [1, 1, 1, 1])), [2, 3, 1, 0])

    def test_solve_of_some_columns(self):
        model = solve(equations_of(random_rows(20, 4), [1, 2, 3, 4]), [1, 3])
        self.assertEqual([model[0], model[2]], [0, 0])

    def test_sets_of_rows(self):
        rows, model = random_rows(20, 3), [1, 2, 3]
        both = equations_of(rows[:10], model).combined(equations_of(rows[10:], model), 1)
        self.assert_near(both.vector, equations_of(rows, model).vector)
        left = both.combined(equations_of(rows[10:], model), -1)
        self.assert_near(left.vector, equations_of(rows[:10], model).vector)

    def test_damping_shrinks(self):
        # One row, 1 b = 1: (1 + 1) b = 1.
        self.assert_near(least_squares(Equations.of_rows([[1]], [1], [1]).damped(1)), [0.5])

    def test_non_negative_keeps_positive_model(self):
        model = [3, 0, 2, 7, 1]
        self.assert_near(non_negative(equations_of(random_rows(20, 5), model)), model)

    def test_non_negative_is_optimal(self):
        # No coefficient is negative, and one that is zero would have to become negative.
        equations = equations_of(random_rows(30, 8), [3, -4, 2, -7, 1, 5, -1, 2])
        model = non_negative(equations)
        for b, slope in zip(model, gradient(equations, model)):
            self.assertGreaterEqual(b, 0)
            self.assertLess(slope, 1e-5)
            if b > 0:
                self.assertAlmostEqual(slope, 0, places=5)
        self.assertIn(0, model)

    def test_forward_selection_finds_columns(self):
        model = [0, 100, 0, 0, 10, 0]
        models = forward_selection(equations_of(random_rows(40, 6), model), 2)
        self.assertEqual([i for i, b in enumerate(models[0]) if b], [1])
        self.assert_near(models[1], model)

    def test_forward_selection_ends(self):
        rows = [row + [2 * row[0]] for row in random_rows(20, 2)]
        self.assertEqual(len(forward_selection(equations_of(rows, [1, 2, 0]), 3)), 2)


if __name__ == "__main__":
    unittest.main()
