// file.mjs - a school as a file, and back.
//
// Two lines of JSON: what the file is, with a checksum of the second line; then everything else.
// The networks are in it as base64, each a file that `tacos.h` reads.

import { NETS, PAPER } from "./learner.mjs";
import { BASKET_NAMES, tidy } from "./school.mjs";

const FORMAT = "tacos playground";
const VERSION = 2; // 1 had no names and two networks

// CRC-32 as in zip and PNG.
export function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

const checksum = (text) => crc32(new TextEncoder().encode(text));

export function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

export function write(packed) {
  const body = JSON.stringify({ ...packed, networks: packed.networks.map(toBase64) });
  return `${JSON.stringify({ format: FORMAT, version: VERSION, crc32: checksum(body) })}\n${body}\n`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isCount = (value, below) => Number.isInteger(value) && value >= 0 && value < below;

const isList = (value, is) => Array.isArray(value) && value.length > 0 && value.every(is);

const isStroke = (stroke) => isList(stroke, (place) => isCount(place, PAPER + 1)) && stroke.length % 2 === 0;

const isName = (name) => typeof name === "string" && name !== "" && tidy(name) === name;

const isDrawing = (drawing) =>
  drawing && isCount(drawing.basket, 2) && isName(drawing.name) && isList(drawing.strokes, isStroke);

// What `outline` of a school gives: in files and in links.
export const isOutline = (body) =>
  body &&
  isCount(body.seed, 2 ** 32) &&
  [body.names, body.waiting, body.lessons].every(Array.isArray) &&
  body.names.length === BASKET_NAMES.length &&
  body.names.every(isName) &&
  body.waiting.every(isDrawing) &&
  body.lessons.every((lesson) => isList(lesson, isDrawing));

const isBase64 = (text) => typeof text === "string" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const isShare = (value) => typeof value === "number" && value >= 0 && value <= 1;

function isPacked(body) {
  return (
    isOutline(body) &&
    [body.history, body.networks].every(Array.isArray) &&
    body.history.length === body.lessons.length &&
    body.history.every((point) => isList(point, isShare) && point.length === NETS.length) &&
    body.networks.length === NETS.length &&
    body.networks.every(isBase64)
  );
}

// The outline in a file of version 1.
function outlineOf1(body) {
  if (!body || ![body.waiting, body.lessons].every(Array.isArray) || !body.lessons.every(Array.isArray)) return null;
  let n = 0;
  const named = (drawing) => drawing && { strokes: drawing.strokes, basket: drawing.basket, name: `drawing ${++n}` };
  const lessons = body.lessons.map((lesson) => lesson.map(named));
  const outline = { seed: body.seed, names: [...BASKET_NAMES], lessons, waiting: body.waiting.map(named) };
  return isOutline(outline) ? outline : null;
}

// What `write` was given; of a file of version 1, whose networks were others, only the outline (without `networks`).
// Or an Error with a sentence for people.
export function read(text) {
  const [first = "", second = ""] = text.split("\n");
  const head = parse(first);
  if (head?.format !== FORMAT) throw new Error("This is not a file that this page has saved.");
  if (head.version > VERSION) throw new Error("This file was saved by a newer version of this page.");
  if (head.crc32 !== checksum(second))
    throw new Error("This file is damaged: its checksum is wrong, or its end is missing.");
  const body = parse(second);
  const outline = head.version === 1 ? outlineOf1(body) : null;
  if (outline) return outline;
  if (!isPacked(body)) throw new Error("This file is damaged: it does not hold what such a file holds.");
  return { ...body, networks: body.networks.map(fromBase64) };
}
