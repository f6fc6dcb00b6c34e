# SPDX-License-Identifier: MIT
"""
Linear models by least squares, on the normal equations.

A model is a list of coefficients, one for each column of its data. All functions are pure.
"""

import math
from operator import mul

# A column whose rest, after those chosen before it, is this small a part of it depends on them.
DEPENDENT = 1e-10


class Equations:
    """Normal equations G b = g of weighted rows; those of two sets of rows can be subtracted."""

    def __init__(self, matrix, vector):
        self.matrix = matrix
        self.vector = vector

    @staticmethod
    def of_rows(rows, values, weights):
        """Of rows of columns, a value to be predicted for each row, and weights of the errors."""
        size = len(rows[0])
        matrix = [[0.0] * size for _ in range(size)]
        vector = [0.0] * size
        for row, value, weight in zip(rows, values, weights):
            scaled = [weight * weight * x for x in row]
            for i, factor in enumerate(scaled):
                if factor:
                    matrix[i] = [a + factor * x for a, x in zip(matrix[i], row)]
                    vector[i] += factor * value
        return Equations(matrix, vector)

    def combined(self, other, sign):
        """The sum of two sets of rows (sign 1), or what remains without the other (sign -1)."""
        return Equations(
            [[a + sign * b for a, b in zip(x, y)] for x, y in zip(self.matrix, other.matrix)],
            [a + sign * b for a, b in zip(self.vector, other.vector)])

    def damped(self, strength):
        """With a penalty on the squares of all coefficients."""
        return Equations(
            [[a + (strength if i == j else 0.0) for j, a in enumerate(line)]
             for i, line in enumerate(self.matrix)], self.vector)


def predict(model, row):
    """The value that a model gives for a row."""
    return sum(map(mul, model, row))


def solve(equations, columns):
    """
    Least squares with these columns, the others' coefficients being zero: by Cholesky's method. A
    column that depends on those before it gets zero as well.
    """
    matrix, vector = equations.matrix, equations.vector
    factors, used, right = [], [], []
    for column in columns:
        line = []
        for k, other in enumerate(used):
            line.append((matrix[column][other] -
                         sum(map(mul, line, factors[k]))) / factors[k][k])
        rest = matrix[column][column] - sum(map(mul, line, line))
        if rest <= DEPENDENT * matrix[column][column]:
            continue
        line.append(math.sqrt(rest))
        right.append((vector[column] - sum(map(mul, line, right))) / line[-1])
        factors.append(line)
        used.append(column)
    model = [0.0] * len(vector)
    for k in reversed(range(len(used))):
        behind = sum(factors[j][k] * model[used[j]] for j in range(k + 1, len(used)))
        model[used[k]] = (right[k] - behind) / factors[k][k]
    return model


def gradient(equations, model):
    """How much a small increase of each coefficient reduces half the squared error."""
    return [g - predict(model, line) for line, g in zip(equations.matrix, equations.vector)]


def least_squares(equations):
    """Ordinary least squares."""
    return solve(equations, range(len(equations.vector)))


def _step_back(model, target):
    """The farthest point from model towards target at which no coefficient is negative."""
    shares = {i: b / (b - t) for i, (b, t) in enumerate(zip(model, target)) if t < 0}
    share = min(shares.values())
    return [0.0 if shares.get(i, 2.0) == share else max(b + share * (t - b), 0.0)
            for i, (b, t) in enumerate(zip(model, target))]


def non_negative_path(equations):
    """
    Models with no negative coefficient, each with a smaller squared error than the one before it; the
    last is the best. By Lawson's and Hanson's active sets.
    """
    size, models = len(equations.vector), []
    model, active = [0.0] * size, []
    scale = max(abs(g) for g in equations.vector) or 1.0
    for _ in range(3 * size):
        slope = gradient(equations, model)
        new = max((i for i in range(size) if i not in active), key=lambda i: slope[i], default=None)
        if new is None or slope[new] <= 1e-9 * scale:
            break
        active.append(new)
        target = solve(equations, active)
        while min(target) < 0:
            model = _step_back(model, target)
            active = [i for i in active if model[i] > 0]
            target = solve(equations, active)
        active = [i for i in active if target[i] > 0]
        model = target
        models.append(model)
        if new not in active:
            break
    return models or [model]


def non_negative(equations):
    """Least squares with no negative coefficient."""
    return non_negative_path(equations)[-1]


def forward_selection(equations, count):
    """Models with 1, 2, ... count columns; the next is always the one that helps most."""
    size, chosen, models = len(equations.vector), [], []
    matrix = [line + [g] for line, g in zip(equations.matrix, equations.vector)]
    for _ in range(min(count, size)):
        gains = {i: matrix[i][size] ** 2 / matrix[i][i] for i in range(size) if i not in chosen and
                 matrix[i][i] > DEPENDENT * equations.matrix[i][i]}
        if not gains:
            break
        best = max(gains, key=gains.get)
        chosen.append(best)
        for i in range(size):
            factor = matrix[i][best] / matrix[best][best]
            if i not in chosen and factor:
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[best])]
        models.append(solve(equations, chosen))
    return models
