// learner.mjs - the page's networks in node, without a page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { Learner } from "../../../web/learner.mjs";

const built = new URL("../../../build/web/", import.meta.url);

export function openLearner() {
  const create = createRequire(import.meta.url)(fileURLToPath(new URL("learner.js", built)));
  return Learner.open(create, readFileSync(new URL("learner.wasm", built)));
}
