// drawings.mjs - drawings as people make them, from seeds: the same numbers on every machine but for Math.sin and
// Math.cos, whose last bit is lost when places become whole numbers.

// The same numbers everywhere, in [0, 1).
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function shuffled(list, random) {
  const order = [...list];
  for (let i = order.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [order[i], order[k]] = [order[k], order[i]];
  }
  return order;
}

const within = (value) => Math.round(Math.min(Math.max(value, 0), 1000));

// As if somebody else had drawn it: turned, stretched and moved, each of its places by itself.
export function redrawn(strokes, random) {
  const sym = (most) => most * (2 * random() - 1);
  const turn = sym(0.12), wide = 1 + sym(0.12), high = 1 + sym(0.12);
  const bends = Array.from({ length: 4 }, () => [sym(30), sym(30), random() * 6, 0.004 + random() * 0.006]);
  return strokes.map((stroke) => {
    const points = [];
    for (let k = 0; k < stroke.length; k += 2) {
      let x = (stroke[k] - 500) * wide * 0.85, y = (stroke[k + 1] - 500) * high * 0.85;
      [x, y] = [x - turn * y, y + turn * x];
      for (const [dx, dy, phase, pace] of bends) {
        const wave = Math.sin(phase + pace * (x + y));
        [x, y] = [x + dx * wave * 0.5, y + dy * wave * 0.5];
      }
      points.push(within(500 + x), within(500 + y));
    }
    return points;
  });
}

// ---- what strangers draw ----

// Corners of straight strokes, on a sheet of 100 x 100.
const LETTERS = {
  A: [[[50, 8], [18, 92]], [[50, 8], [82, 92]], [[30, 62], [70, 62]]],
  E: [[[78, 10], [24, 10], [24, 90], [78, 90]], [[24, 50], [68, 50]]],
  F: [[[78, 10], [26, 10], [26, 92]], [[26, 48], [66, 48]]],
  H: [[[22, 8], [22, 92]], [[78, 8], [78, 92]], [[22, 50], [78, 50]]],
  K: [[[26, 8], [26, 92]], [[78, 10], [26, 54], [78, 92]]],
  L: [[[28, 8], [28, 90], [78, 90]]],
  M: [[[14, 92], [20, 10], [50, 62], [80, 10], [86, 92]]],
  N: [[[20, 92], [20, 10], [80, 90], [80, 8]]],
  T: [[[12, 12], [88, 12]], [[50, 12], [50, 92]]],
  V: [[[14, 10], [50, 92], [86, 10]]],
  Z: [[[16, 12], [84, 12], [16, 90], [86, 90]]],
};

const LINES = {
  across: [[[6, 50], [94, 50]]],
  down: [[[50, 6], [50, 94]]],
  rising: [[[10, 90], [90, 10]]],
  falling: [[[10, 10], [90, 90]]],
};

function round(random, x, y, r) {
  const start = random(), turns = (0.93 + 0.12 * random()) * (random() < 0.5 ? 1 : -1), n = 28;
  return Array.from({ length: n + 1 }, (_, i) => {
    const angle = 2 * Math.PI * (start + (turns * i) / n);
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

const mouth = (random) =>
  Array.from({ length: 11 }, (_, i) => [28 + 4.4 * i, 60 + (14 + 6 * random()) * Math.sin((Math.PI * i) / 10)]);

const HOUSE = [[[18, 46], [18, 92], [82, 92], [82, 46]], [[8, 50], [50, 10], [92, 50]]];
const DOOR = [[42, 92], [42, 66], [58, 66], [58, 92]];

const SHAPES = {
  X: () => [[[14, 14], [86, 86]], [[86, 14], [14, 86]]],
  O: (random) => [round(random, 50, 50, 40)],
  triangle: () => [[[50, 10], [92, 86], [8, 86], [50, 10]]],
  house: (random) => (random() < 0.5 ? HOUSE : [...HOUSE, DOOR]),
  smile: (random) => [round(random, 50, 50, 42), [[36, 36], [37, 40]], [[64, 36], [63, 40]], mouth(random)],
  ...Object.fromEntries([...Object.entries(LINES), ...Object.entries(LETTERS)].map(([name, made]) => [name, () => made])),
};

// A stroke through these corners by a hand that misses each of them a little and stops on the way.
function byHand(corners, random) {
  const off = () => 7 * (random() - 0.5);
  const missed = corners.length > 8 ? corners : corners.map(([x, y]) => [x + off(), y + off()]);
  const points = [missed[0]];
  for (let k = 1; k < missed.length; k++) {
    const [[x, y], [toX, toY]] = [missed[k - 1], missed[k]];
    const n = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / 6));
    for (let i = 1; i <= n; i++) points.push([x + ((toX - x) * i) / n, y + ((toY - y) * i) / n]);
  }
  return points.flatMap(([x, y]) => [within(10 * x), within(10 * y)]);
}

// Eight drawings of a stranger in the order in which they are taught, baskets alternating: [{ name, strokes, basket }].
// X, O, triangle, house and smile; one or two lines, the rest letters.
export function strangerSession(seed) {
  const random = randomNumbers(1000003 * seed + 17);
  for (let k = 0; k < 8; k++) random(); // seeds that are near each other begin alike
  const lines = shuffled(Object.keys(LINES), random).slice(0, random() < 0.5 ? 1 : 2);
  const letters = shuffled(Object.keys(LETTERS), random).slice(0, 3 - lines.length);
  const names = shuffled(["X", "O", "triangle", "house", "smile", ...lines, ...letters], random);
  const first = random() < 0.5 ? 0 : 1;
  return names.map((name, i) => ({
    name,
    strokes: redrawn(SHAPES[name](random).map((corners) => byHand(corners, random)), random),
    basket: (first + i) % 2,
  }));
}
