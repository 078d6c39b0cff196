// doodles.mjs - drawings that come with the page, for the tour and for people who do not want to draw.
//
// Each is a list of strokes on a sheet of 100 x 100, y pointing down; a stroke is a list of points.

// Points along an ellipse around (x, y), angles in turns: 0 is right, 0.25 down.
function arc(x, y, rx, ry, from, to) {
  const n = Math.max(6, Math.ceil(Math.abs(to - from) * 24));
  return Array.from({ length: n + 1 }, (_, i) => {
    const angle = 2 * Math.PI * (from + ((to - from) * i) / n);
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];
  });
}

const circle = (x, y, r) => arc(x, y, r, r, 0, 1);

// Straight lines between the points "x,y x,y ...", as a hand would draw them: with points on the way.
function line(text) {
  const corners = text.split(" ").map((pair) => pair.split(",").map(Number));
  const points = [corners[0]];
  for (let k = 1; k < corners.length; k++) {
    const [[x, y], [toX, toY]] = [corners[k - 1], corners[k]];
    const n = Math.ceil(Math.hypot(toX - x, toY - y) / 6);
    for (let i = 1; i <= n; i++) points.push([x + ((toX - x) * i) / n, y + ((toY - y) * i) / n]);
  }
  return points;
}

const rays = (x, y, from, to, n) =>
  Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * i) / n;
    return [
      [x + from * Math.cos(angle), y + from * Math.sin(angle)],
      [x + to * Math.cos(angle), y + to * Math.sin(angle)],
    ];
  });

function spiral(x, y, r, turns) {
  const n = Math.ceil(turns * 20);
  return Array.from({ length: n + 1 }, (_, i) => {
    const angle = (2 * Math.PI * turns * i) / n;
    return [x + ((r * i) / n) * Math.cos(angle), y + ((r * i) / n) * Math.sin(angle)];
  });
}

export const doodles = {
  sun: [circle(50, 50, 18), ...rays(50, 50, 28, 46, 8)],
  moon: [[...arc(48, 50, 40, 42, 0.12, 0.88), ...arc(66, 50, 34, 34, 0.8, 0.2)]],
  fish: [[...arc(42, 50, 34, 22, 0.06, 0.94), [94, 72], [94, 28], [74, 58]], circle(24, 44, 2)],
  tree: [arc(50, 32, 28, 26, 0, 1), line("50,40 50,94"), line("36,94 64,94")],
  house: [line("16,46 16,92 84,92 84,46"), line("6,52 50,10 94,52"), line("42,92 42,66 58,66 58,92")],
  cup: [line("18,26 26,88 66,88 74,26 18,26"), arc(76, 50, 18, 16, -0.2, 0.25)],
  heart: [
    [[50, 90], [22, 62], ...arc(30, 36, 20, 20, 0.42, 0.98), ...arc(70, 36, 20, 20, 0.52, 1.08), [78, 62], [50, 90]],
  ],
  star: [line("50,6 62,40 96,40 68,60 80,94 50,73 20,94 32,60 4,40 38,40 50,6")],
  bolt: [line("62,4 26,54 50,54 38,96 76,42 50,42 62,4")],
  key: [circle(26, 50, 18), line("44,50 94,50 94,70"), line("78,50 78,64")],
  umbrella: [[...arc(50, 50, 44, 38, 0.5, 1), [6, 50]], [[50, 12], [50, 84], ...arc(41, 84, 9, 9, 0, 0.5)]],
  boat: [line("8,66 24,90 76,90 92,66 8,66"), line("48,66 48,8 84,56 48,56")],
  flower: [circle(50, 26, 9), ...[0, 1, 2, 3, 4].map((i) => {
    const a = 2 * Math.PI * (i / 5 - 0.25);
    return circle(50 + 17 * Math.cos(a), 26 + 17 * Math.sin(a), 9);
  }), line("50,50 50,96"), line("50,80 68,66")],
  glasses: [circle(26, 52, 18), circle(74, 52, 18), arc(50, 50, 7, 6, 0.5, 1), line("8,50 2,36"), line("92,50 98,36")],
  ladder: [line("30,6 30,94"), line("70,6 70,94"), line("30,24 70,24"), line("30,50 70,50"), line("30,76 70,76")],
  snail: [spiral(56, 46, 30, 2.2), line("86,50 78,82 12,82 8,56"), line("12,60 20,44")],
  arrow: [line("6,50 92,50"), line("62,20 92,50 62,80")],
  anchor: [circle(50, 16, 9), line("50,26 50,92"), line("30,40 70,40"), arc(50, 56, 38, 36, 0.02, 0.48)],
  cross: [line("14,14 86,86"), line("86,14 14,86")],
  hourglass: [line("18,8 82,8 18,92 82,92 18,8")],
  mushroom: [[...arc(50, 46, 42, 38, 0.5, 1), [8, 46]], line("38,46 34,92 66,92 62,46")],
  envelope: [line("6,24 94,24 94,80 6,80 6,24"), line("6,24 50,58 94,24")],
  kite: [line("50,4 82,40 50,78 18,40 50,4"), line("50,78 60,88 48,96"), line("18,40 82,40")],
  wave: [line("4,60 16,36 28,60 40,84 52,60 64,36 76,60 88,84 96,64")],
  square: [line("16,16 84,16 84,84 16,84 16,16")],
  triangle: [line("50,10 92,86 8,86 50,10")],
  ring: [circle(50, 50, 40)],
  plus: [line("50,8 50,92"), line("8,50 92,50")],
  ess: [[...arc(50, 28, 26, 20, -0.08, -0.75), ...arc(50, 70, 28, 22, -0.25, 0.42)]],
  cat: [
    circle(50, 58, 32), line("22,42 20,10 42,28"), line("58,28 80,10 78,42"),
    line("4,56 30,60"), line("70,60 96,56"),
  ],
};

// A doodle as strokes of a drawing (see learner.mjs).
export function doodle(name) {
  return doodles[name].map((stroke) => stroke.flatMap(([x, y]) => [Math.round(10 * x), Math.round(10 * y)]));
}
