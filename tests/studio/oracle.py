"""The desk again, slow and obvious: a dictionary of cells and sets of what was said."""

from jigsolve.studio.desk import Tie

STEPS = {"right": (0, 1), "below": (1, 0)}
CLOCKWISE = ["top", "right", "bottom", "left"]


class RefusedError(Exception):
    pass


class SlowDesk:
    """Cells by (picture, row, column), each (piece, turn) or None."""

    def __init__(self, shapes, cells, kinds):
        self.shapes, self.cells, self.kinds = shapes, cells, kinds
        self.locked, self.joined, self.parted = set(), set(), set()

    @classmethod
    def of(cls, desk, kinds):
        shapes = [(picture.rows, picture.columns) for picture in desk.pictures]
        cells = {}
        for number, picture in enumerate(desk.pictures):
            for index, pose in enumerate(picture.cells.tolist()):
                place = (number, index // picture.columns, index % picture.columns)
                cells[place] = None if pose < 0 else (pose // 4, pose % 4)
        slow = cls(shapes, cells, kinds)
        slow.locked, slow.joined, slow.parted = set(desk.locked), set(desk.joined), set(desk.parted)
        return slow

    def place(self, number, cell):
        columns = self.shapes[number][1]
        return number, cell // columns, cell % columns

    def check(self, *places):
        for place in places:
            if self.cells[place] and self.cells[place][0] in self.locked:
                raise RefusedError

    def selected(self, action):
        places = {self.place(action["picture"], cell) for cell in action["cells"]}
        held = {place for place in places if self.cells[place]}
        if not held:
            raise RefusedError
        return held

    def act(self, action):
        if action["kind"] == "place":
            self.place_piece(action["pose"], self.place(action["picture"], action["cell"]))
        else:
            getattr(self, action["kind"])(action)

    def shift(self, moves, turn=0):
        """Carry content along moves; what is pushed away follows them back to a free cell."""
        targets = set(moves.values())
        for place in targets:
            if place not in self.cells:
                raise RefusedError
        self.check(*moves, *targets)
        before = dict(self.cells)
        for here, there in moves.items():
            piece, old = before[here]
            self.cells[there] = (piece, (old + turn) % 4)
        for there in targets - set(moves):
            free = there
            while any(target == free for target in moves.values()):
                free = next(here for here, target in moves.items() if target == free)
            self.cells[free] = before[there]

    def move(self, action):
        down, right = action["by"]
        if (down, right) == (0, 0):
            raise RefusedError
        held = self.selected(action)
        self.shift({(n, r, c): (n, r + down, c + right) for n, r, c in held})

    def turn(self, action):
        by = action["by"] % 4
        held = self.selected(action)
        if by == 0 or by not in self.kinds:
            raise RefusedError
        top, left = min(r for _, r, _ in held), min(c for _, _, c in held)
        high = max(r for _, r, _ in held) - top + 1
        wide = max(c for _, _, c in held) - left + 1
        moves = {}
        for n, r, c in held:
            y, x, height, width = r - top, c - left, high, wide
            for _ in range(by):  # a quarter clockwise: rows become columns from the right
                y, x, height, width = x, height - 1 - y, width, height
            if (height, width) != (high, wide):
                raise RefusedError
            moves[n, r, c] = (n, top + y, left + x)
        self.shift(moves, by)

    def swap(self, action):
        one, other = self.place(*action["a"]), self.place(*action["b"])
        if one == other or not (self.cells[one] or self.cells[other]):
            raise RefusedError
        self.check(one, other)
        self.cells[one], self.cells[other] = self.cells[other], self.cells[one]

    def park(self, action):
        held = self.selected(action)
        self.check(*held)
        for place in held:
            self.cells[place] = None

    def place_piece(self, pose, target):
        piece, turn = divmod(pose, 4)
        if turn not in self.kinds or piece in self.locked:
            raise RefusedError
        self.check(target)
        was = self.cells[target]
        origin = next((p for p, held in self.cells.items() if held and held[0] == piece), None)
        if origin is not None:
            self.cells[origin] = was
        self.cells[target] = (piece, turn)

    def lock(self, action):
        self.locked |= {self.cells[place][0] for place in self.selected(action)}

    def unlock(self, action):
        self.locked -= {self.cells[place][0] for place in self.selected(action)}

    def tie(self, action):
        number, row, column = action["picture"], action["row"], action["column"]
        down, right = STEPS[action["dir"]]
        one = self.cells[number, row, column]
        other = self.cells.get((number, row + down, column + right))
        if not one or not other:
            raise RefusedError
        place = CLOCKWISE.index("right" if action["dir"] == "right" else "bottom")
        sides = []
        for (piece, turn), at in ((one, place), (other, (place + 2) % 4)):
            # Turned clockwise by so many quarters, a side of the piece came to lie at this place.
            (own,) = [s for s in range(4) if (s + turn) % 4 == at]
            sides.append((piece, CLOCKWISE[own]))
        (a, b), (c, d) = sorted(sides)
        return Tie(a, b, c, d)

    def accept(self, action):
        tie = self.tie(action)
        ends = {(tie.piece, tie.side), (tie.other, tie.facing)}
        self.joined = {
            each
            for each in self.joined
            if (each.piece, each.side) not in ends and (each.other, each.facing) not in ends
        }
        self.joined.add(tie)
        self.parted.discard(tie)

    def reject(self, action):
        tie = self.tie(action)
        self.joined.discard(tie)
        self.parted.add(tie)

    def forget(self, action):
        tie = self.tie(action)
        self.joined.discard(tie)
        self.parted.discard(tie)
