"""Files that their definitions give byte for byte: monks, tic-tac-toe, car, nursery.

Car and nursery were made with decision trees of utility tables; the tables below are the only ones
with these trees that give the published classes (values of every attribute and level in the order
of the file).
"""

from itertools import product

from pinetum.data.errors import DataError

_CAR = (
    ("vhigh", "high", "med", "low"),  # buying
    ("vhigh", "high", "med", "low"),  # maint
    ("2", "3", "4", "5more"),  # doors
    ("2", "4", "more"),  # persons
    ("small", "med", "big"),  # lug_boot
    ("low", "med", "high"),  # safety
)
_PRICE = ("0011", "0111", "1123", "1233")  # [buying][maint]
_COMFORT = (
    ("000", "112", "012"),
    ("000", "112", "122"),
    ("000", "122", "122"),
    ("000", "122", "122"),
)
_TECHNICAL = ("000", "012", "023")  # [comfort][safety]
_CAR_CLASS = (
    ("unacc", "unacc", "unacc", "unacc"),
    ("unacc", "unacc", "acc", "acc"),
    ("unacc", "acc", "acc", "vgood"),
    ("unacc", "acc", "good", "vgood"),
)  # [price][technical]

_NURSERY = (
    ("usual", "pretentious", "great_pret"),  # parents
    ("proper", "less_proper", "improper", "critical", "very_crit"),  # has_nurs
    ("complete", "completed", "incomplete", "foster"),  # form
    ("1", "2", "3", "more"),  # children
    ("convenient", "less_conv", "critical"),  # housing
    ("convenient", "inconv"),  # finance
    ("nonprob", "slightly_prob", "problematic"),  # social
    ("recommended", "priority", "not_recom"),  # health
)
_EMPLOY = ("01123", "11233", "22333")  # [parents][has_nurs]
_FAMILY = ("0122", "1122", "1222", "2222")  # [form][children]
_MEANS = ("01", "11", "22")  # [housing][finance]
_STRUCTURE = ("011", "112", "122")  # [family][means]
_HEALTH = ("012", "012", "112")  # [social][health]
_NURSERY_CLASS = (
    (("recommend", "priority"), ("very_recom", "priority"), ("priority", "priority")),
    (("very_recom", "priority"), ("very_recom", "priority"), ("priority", "priority")),
    (("priority", "priority"), ("priority", "priority"), ("priority", "spec_prior")),
    (("priority", "priority"), ("priority", "spec_prior"), ("spec_prior", "spec_prior")),
)  # [employ][structure][health]; health 2 is not recommended whatever the rest

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

_MONKS = ("123", "123", "12", "123", "1234", "12")
_MONKS_TRAINING = {  # numbers of the training cases in the grid of 432
    1: (
        """
        5 6 19 22 27 28 37 39 42 50 51 53 56 57 61 62 64 67 72 76 86 87 88 92 93 94 99 103 107 111
        114 116 117 119 120 124 130 132 134 135 136 137 139 143 144 149 150 153 154 156 157 159 160
        167 172 173 176 181 184 188 191 195 196 197 206 209 210 212 214 216 217 222 223 224 227 239
        241 249 253 258 261 264 270 273 274 275 286 289 290 297 300 308 313 316 324 326 332 337 344
        346 352 361 362 366 377 379 383 385 387 392 398 400 402 403 404 408 409 414 415 416 426 428
        430 432
    """
    ),
    2: (
        """
        4 7 9 10 11 13 15 19 23 25 26 37 39 40 42 44 50 58 60 61 62 63 65 66 68 69 70 71 72 75 79 85
        87 89 90 93 94 95 96 98 100 101 102 107 108 110 111 116 117 120 125 126 127 130 134 136 139
        145 148 149 156 162 164 166 167 169 172 175 179 184 185 186 188 190 192 197 200 201 205 213
        214 215 217 220 222 223 224 225 228 229 233 235 236 240 241 242 246 249 253 254 256 258 259
        263 266 267 269 272 273 275 278 285 286 288 295 298 300 302 303 304 305 306 308 310 313 316
        317 318 319 320 323 330 331 332 336 338 340 341 342 346 347 353 355 357 358 361 364 365 366
        369 371 372 374 377 382 384 385 387 389 390 398 409 417 419 421 422 425 427 432
    """
    ),
    3: (
        """
        2 3 4 5 7 9 12 16 28 32 36 39 40 41 42 45 46 53 59 60 61 65 66 67 68 70 71 77 80 81 83 84 89
        91 92 99 103 110 111 113 117 121 122 123 128 134 136 143 145 146 151 152 153 154 164 166 167
        172 183 186 198 200 202 203 209 212 213 214 216 220 226 229 230 239 245 249 251 252 254 261
        266 268 271 277 280 281 283 288 289 291 293 304 306 312 315 326 328 329 340 343 349 354 364
        366 370 377 382 383 390 391 400 401 403 404 407 409 410 420 422 425 430 432
    """
    ),
}
_MONKS_NOISE = {3: (5, 61, 203, 213, 214, 391)}  # training cases whose class was changed


def file_content(path: str) -> bytes:
    """The file that UCI keeps under this path."""
    if path == "car/car.data":
        return _text(map(",".join, _car()))
    if path == "nursery/nursery.data":
        return _text(map(",".join, _nursery())) + b"\n"
    if path == "tic-tac-toe/tic-tac-toe.data":
        return _text(map(",".join, _tic_tac_toe()))
    folder, _, name = path.partition("/")
    problem, _, part = name.partition(".")
    if (
        folder == "monks-problems"
        and problem in ("monks-1", "monks-2", "monks-3")
        and part in ("train", "test")
    ):
        return _text(map(" ".join, _monks(int(problem[-1]), part)))
    raise DataError("no program writes this file", file=path, cure="use another source")


def _text(lines):
    return "".join(f"{line}\n" for line in lines).encode()


def _grid(domains):
    """Every combination with its indices, the last attribute running fastest."""
    for indices in product(*map(range, map(len, domains))):
        yield indices, [domain[index] for domain, index in zip(domains, indices, strict=True)]


def _car():
    for (buying, maint, doors, persons, boot, safety), values in _grid(_CAR):
        price = int(_PRICE[buying][maint])
        comfort = int(_COMFORT[doors][persons][boot])
        yield [*values, _CAR_CLASS[price][int(_TECHNICAL[comfort][safety])]]


def _nursery():
    for (parents, nurs, form, children, housing, finance, social, health), values in _grid(
        _NURSERY
    ):
        employ = int(_EMPLOY[parents][nurs])
        structure = int(_STRUCTURE[int(_FAMILY[form][children])][int(_MEANS[housing][finance])])
        judged = int(_HEALTH[social][health])
        yield [*values, "not_recom" if judged == 2 else _NURSERY_CLASS[employ][structure][judged]]


def _won(board, player):
    return any(all(board[place] == player for place in line) for line in _LINES)


def _tic_tac_toe():
    """Ends of games that x began: its wins, then those of o, then draws, each in the order x, o,
    b.
    """
    ends = ([], [], [])
    for board in product("xob", repeat=9):
        lead, x_won, o_won = board.count("x") - board.count("o"), _won(board, "x"), _won(board, "o")
        if lead == 1 and x_won and not o_won:
            ends[0].append([*board, "positive"])
        elif lead == 0 and o_won and not x_won:
            ends[1].append([*board, "negative"])
        elif lead == 1 and "b" not in board and not x_won and not o_won:
            ends[2].append([*board, "negative"])
    return ends[0] + ends[1] + ends[2]


def _monk(problem, a):
    if problem == 1:
        return a[0] == a[1] or a[4] == "1"
    if problem == 2:
        return a.count("1") == 2
    return (a[4] == "3" and a[3] == "1") or (a[4] != "4" and a[1] != "3")


def _monks(problem, part):
    chosen = set(map(int, _MONKS_TRAINING[problem].split())) if part == "train" else range(1, 433)
    noise = _MONKS_NOISE.get(problem, ()) if part == "train" else ()
    for number, attributes in enumerate(product(*_MONKS), 1):
        if number in chosen:
            label = _monk(problem, attributes) != (number in noise)
            yield ["", str(int(label)), *attributes, f"data_{number}"]
