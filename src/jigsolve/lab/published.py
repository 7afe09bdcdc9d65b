"""What others published, so that a report can show it beside what was run.

Percent, strict scores. Source: Sholomon, David, Netanyahu, *An automatic solver for very large
jigsaw puzzles using genetic algorithms*, Genetic Programming and Evolvable Machines 17, 2016 ("the
paper"), its tables and what it cites there; others are named where they stand.
"""

from typing import NamedTuple

from jigsolve.lab.experiment import PARTIAL_CROSSOVERS


class TenRuns(NamedTuple):
    """The paper's summary of ten runs (five from 22,755 pieces on), averaged over images."""

    best: float
    worst: float
    average: float
    deviation: float


NEIGHBOUR = {
    "cho_432": TenRuns(96.16, 95.21, 95.70, 0.34),
    "mcgill_540": TenRuns(95.96, 94.65, 95.38, 0.40),
    "pomeranz_805": TenRuns(96.26, 95.35, 95.85, 0.31),
    "pomeranz_2360": TenRuns(88.86, 87.52, 88.00, 0.38),
    "pomeranz_3300": TenRuns(92.76, 91.91, 92.37, 0.27),
    "sholomon_5015": TenRuns(95.25, 94.87, 95.06, 0.11),
    "sholomon_10375": TenRuns(98.47, 98.20, 98.36, 0.08),
    "sholomon_22755": TenRuns(96.40, 95.97, 96.19, 0.12),
}

DIRECT = {
    "cho_432": TenRuns(86.19, 80.56, 82.94, 2.62),
    "mcgill_540": TenRuns(92.75, 90.57, 91.65, 0.65),
    "pomeranz_805": TenRuns(94.67, 92.79, 93.63, 0.62),
    "pomeranz_2360": TenRuns(85.73, 82.73, 84.62, 0.86),
    "pomeranz_3300": TenRuns(89.92, 65.42, 86.62, 7.19),
    "sholomon_5015": TenRuns(94.78, 90.76, 92.04, 1.74),
    "sholomon_10375": TenRuns(97.69, 96.08, 97.12, 0.45),
    "sholomon_22755": TenRuns(93.41, 87.04, 90.49, 2.59),
}

RUST = "GA + MGC in Rust"

OTHERS = {
    "cho_432": {"Pomeranz 2011": 94.25, "Gallagher 2012": 95.10, "Son 2014": 95.50, RUST: 95.8},
    "mcgill_540": {"Pomeranz 2011": 90.90, "Son 2014": 95.20, RUST: 96.46},
    "pomeranz_805": {"Pomeranz 2011": 89.70, "Son 2014": 94.90},
    "pomeranz_2360": {"Pomeranz 2011": 84.67, "Son 2014": 96.40},
    "pomeranz_3300": {"Pomeranz 2011": 85.00, "Son 2014": 96.40, RUST: 96.63},
}
"""Neighbour accuracy. Paikin and Tal 2015 give 97.7, by a metric they do not name, for several sets
pooled."""

THREE_WORST = {
    "cho_432": (76.00, 81.06),
    "mcgill_540": (58.33, 79.32),
    "pomeranz_805": (67.33, 86.30),
    "pomeranz_2360": (84.67, 88.86),
    "pomeranz_3300": (85.00, 92.76),
}
"""Neighbour accuracy on the three images solved worst: Pomeranz 2011, the paper's best of ten."""

SECONDS = {
    "cho_432": 48.73,
    "mcgill_540": 64.06,
    "pomeranz_805": 116.18,
    "pomeranz_2360": 17.60 * 60,
    "pomeranz_3300": 30.24 * 60,
    "sholomon_5015": 61.06 * 60,
    "sholomon_10375": 3.21 * 3600,
    "sholomon_22755": 13.19 * 3600,
}
"""The paper's run time per image on one thread of a PC of its time. On four threads it gives 3.43
hours for 22,755 pieces and 6.51 hours for 30,745."""

ABLATION_SET = "cho_432"
"""What the paper compares variants of the crossover and measures on."""

VARIANTS = tuple(" + ".join(phases) for phases in PARTIAL_CROSSOVERS)
"""The partial crossovers of the paper's ablation on the 432-piece set."""

ABLATION_AVERAGE = (4.81, 93.86, 46.75, 95.41, 74.28, 94.00)
"""Neighbour accuracy of each variant, averaged over the twenty images."""

ABLATION = {
    1: (5.23, 82.12, 31.14, 87.96, 34.31, 76.03),
    2: (5.35, 83.33, 44.28, 84.91, 66.06, 83.09),
    3: (5.60, 100.00, 52.19, 100.00, 76.76, 100.00),
    4: (3.53, 67.03, 32.97, 68.49, 53.41, 66.42),
    5: (4.26, 100.00, 50.24, 100.00, 85.89, 100.00),
    6: (4.99, 89.05, 36.86, 95.01, 67.27, 90.63),
    7: (4.74, 98.30, 44.89, 99.64, 71.90, 99.15),
    8: (4.14, 100.00, 57.42, 100.00, 89.66, 100.00),
    9: (3.41, 99.27, 46.72, 99.64, 80.78, 99.15),
    10: (4.62, 100.00, 45.26, 100.00, 63.26, 100.00),
    11: (4.01, 99.64, 41.97, 99.64, 71.65, 99.64),
    12: (5.84, 97.81, 59.49, 99.15, 85.89, 100.00),
    13: (3.65, 84.06, 38.93, 89.66, 59.49, 84.43),
    14: (5.72, 100.00, 51.82, 100.00, 95.01, 100.00),
    15: (5.23, 87.35, 43.67, 92.58, 63.38, 91.61),
    16: (4.01, 99.64, 43.55, 100.00, 86.01, 99.15),
    17: (6.20, 99.64, 58.03, 99.64, 79.81, 99.64),
    18: (4.87, 89.90, 48.30, 91.85, 72.75, 91.00),
    19: (5.11, 100.00, 55.60, 100.00, 90.51, 100.00),
    20: (5.60, 100.00, 51.70, 100.00, 91.73, 100.00),
}
"""Neighbour accuracy of each variant by image."""

ALL_PHASES = {
    1: (88.44, 87.55, 86.62),
    2: (85.28, 84.73, 84.18),
    3: (100.00, 100.00, 100.00),
    4: (69.46, 68.03, 65.09),
    5: (100.00, 100.00, 100.00),
    6: (98.30, 97.69, 96.72),
    7: (100.00, 100.00, 100.00),
    8: (100.00, 100.00, 100.00),
    9: (100.00, 99.82, 99.64),
    10: (97.81, 97.81, 97.81),
    11: (97.08, 97.08, 97.08),
    12: (99.64, 99.39, 99.03),
    13: (91.12, 90.56, 90.15),
    14: (99.64, 99.64, 99.64),
    15: (96.84, 96.35, 95.86),
    16: (100.00, 100.00, 100.00),
    17: (99.64, 99.64, 99.64),
    18: (100.00, 95.82, 92.82),
    19: (100.00, 100.00, 100.00),
    20: (100.00, 100.00, 100.00),
}
"""Best, average and worst neighbour accuracy of ten runs with all phases, by image."""

CONVERGING = ("best-buddy", "best-buddy + greedy", "agreed + best-buddy")
"""The variants whose convergence the paper gives."""

CONVERGENCE_AVERAGE = (
    (34.85, 3861.23, 2253.31),
    (8.90, 19051.13, 5457.65),
    (34.35, 3924.52, 2364.24),
)
"""Of each: generations that improve, and the average and median improvement, over all images."""

CONVERGENCE = {
    1: (38, 3586.15, 1651.73, 16, 9089.37, 433.65, 32, 3490.1, 2639.08),
    2: (34, 4642.5, 2193.71, 14, 11751.01, 13.0, 46, 3392.0, 1582.93),
    3: (29, 4775.3, 2710.44, 6, 27306.71, 10208.91, 29, 4906.21, 2715.83),
    4: (36, 3885.35, 1106.94, 11, 14914.72, 2423.29, 25, 5569.29, 3664.47),
    5: (28, 5952.24, 4742.76, 6, 32208.79, 6950.5, 32, 5244.04, 2059.36),
    6: (38, 3488.45, 3089.9, 16, 9067.55, 421.01, 46, 2912.19, 1763.02),
    7: (53, 3479.68, 1826.83, 9, 22375.16, 1773.32, 44, 4190.63, 2705.12),
    8: (31, 3439.34, 1367.11, 5, 25793.19, 17396.02, 33, 3184.64, 2186.03),
    9: (38, 3802.34, 2060.44, 11, 14152.2, 72.1, 39, 3634.47, 1185.56),
    10: (38, 2777.28, 1845.33, 6, 20229.33, 10828.36, 39, 2619.01, 1958.74),
    11: (28, 2341.76, 1868.33, 6, 12747.09, 5100.99, 33, 1937.43, 1846.94),
    12: (36, 3699.86, 1840.87, 11, 12989.78, 62.29, 39, 3370.68, 917.29),
    13: (42, 2834.61, 1406.46, 11, 12092.63, 1372.75, 34, 3516.87, 1966.51),
    14: (33, 3436.79, 2577.28, 5, 27851.13, 14883.22, 29, 4012.27, 1648.06),
    15: (45, 3599.74, 2032.63, 10, 18018.68, 2121.83, 37, 4437.38, 2911.77),
    16: (34, 3995.88, 3334.25, 6, 26835.21, 10911.81, 34, 4039.69, 3742.05),
    17: (33, 4325.24, 1845.8, 8, 19592.13, 1252.53, 25, 5850.35, 3285.79),
    18: (35, 2371.56, 1507.59, 10, 9083.49, 514.49, 40, 2103.28, 1260.12),
    19: (22, 6590.41, 4616.78, 5, 33977.85, 18104.56, 23, 6211.21, 4461.81),
    20: (26, 4200.16, 1441.01, 6, 20946.65, 4308.45, 28, 3868.74, 2784.35),
}
"""The same by image: three numbers for each of these variants."""

MGC_BEST = {
    1: (87.10, 88.44),
    2: (82.97, 85.28),
    3: (100.00, 100.00),
    4: (65.69, 69.46),
    5: (100.00, 100.00),
    6: (100.00, 98.30),
    7: (100.00, 100.00),
    8: (100.00, 100.00),
    9: (100.00, 100.00),
    10: (100.00, 97.81),
    11: (99.64, 97.08),
    12: (99.27, 99.64),
    13: (91.85, 91.12),
    14: (100.00, 99.64),
    15: (94.04, 96.84),
    16: (100.00, 100.00),
    17: (100.00, 99.64),
    18: (100.00, 100.00),
    19: (100.00, 100.00),
    20: (100.00, 100.00),
}
"""Neighbour accuracy with MGC and with dissimilarity, best of ten, by image."""

MGC_BEST_AVERAGE = (96.03, 96.16)
