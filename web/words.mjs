// words.mjs - what has happened so far, in sentences that follow what was counted.

import { COLUMNS, PLAIN, TACOS } from "./learner.mjs";

const LISTED = 6; // names, before "and N more"

const percent = (share) => `${Math.round(100 * share)}%`;

function listed(drawings) {
  const names = drawings.slice(0, LISTED).map(({ name }) => name);
  if (drawings.length > LISTED) names.push(`${drawings.length - LISTED} more`);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const plural = (n, one) => (n === 1 ? `1 ${one}` : `${n} ${one}s`);

// One line: who still knows how much.
export function verdict(school) {
  const n = school.drawings.length;
  const [tacos, plain, columns] = [TACOS, PLAIN, COLUMNS].map((net) => school.known(net));
  return `After ${n} drawings: TACOS still knows ${tacos}, the plain network ${plain}. Columns names ${columns}.`;
}

export function forgetting(school) {
  const n = school.drawings.length, lost = school.lost(PLAIN);
  if (n === 0) return "Here nothing has been taught yet.";
  if (lost.length === 0) return `Here the plain network still knows all ${n} drawings.`;
  const last = school.drawings.at(-1).basket;
  const counted = `Here the plain network gets ${lost.length} of ${n} drawings wrong: ${listed(lost)}.`;
  if (lost.some(({ basket }) => basket === last)) return counted;
  const [other, mine] = [school.names[1 - last], school.names[last]];
  return `${counted} ${lost.length === 1 ? "It belongs" : "All belong"} in “${other}”; the last lesson was for “${mine}”.`;
}

// m: how firmly it is set, of each hidden neuron, 0 to 1.
export function remembering(school, m) {
  const n = school.drawings.length, lost = school.lost(TACOS);
  if (n === 0) return "Here nothing has been taught yet.";
  const counted = lost.length === 0
    ? `Here TACOS still knows all ${n} drawings.`
    : `Here TACOS gets ${lost.length} of ${n} drawings wrong: ${listed(lost)}.`;
  const more = lost.length - school.lost(PLAIN).length;
  const compared = more > 0 ? " That is worse than the plain network."
    : more === 0 ? " The plain network does as well." : "";
  const mean = m.reduce((sum, each) => sum + each, 0) / m.length;
  return `${counted}${compared} On average its connections are at ${percent(mean)} of the firmest state.`;
}

export function naming(school) {
  const n = school.drawings.length, lost = school.lost(COLUMNS), names = school.things.length;
  if (n === 0) return "Here nothing has been taught yet.";
  const among = `It has ${plural(names, "name")} to choose from; guessing would be right for one in ${names}.`;
  if (lost.length === 0) return `Here it gives all ${n} drawings their name. ${among}`;
  return `Here it gives ${n - lost.length} of ${n} drawings their name, and fails with ${listed(lost)}. ${among}`;
}

// What each network must keep.
export function memory(learner) {
  const [tacos, plain, columns] = [TACOS, PLAIN, COLUMNS].map((net) => Math.round(learner.bytes(net) / 1000));
  return `TACOS keeps ${tacos} kB, the plain network ${plain} kB, and columns at most ${columns} kB.`;
}
