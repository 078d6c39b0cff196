// link.mjs - what was taught as a short text for the end of an address, and back.
//
// Bytes as base64 that addresses can hold: a version; then numbers of 7 bits a byte, the lowest first, the highest bit
// telling that more follow; then a CRC-32 of all before. Places are differences to the place before, so most take a
// byte. Names are UTF-8 with their length before them.

import { BASKET_NAMES } from "./school.mjs";
import { crc32, fromBase64, isOutline, toBase64 } from "./file.mjs";

const VERSION = 1;
const LEAD = "taught="; // before it, in the address
const SUM_BYTES = 4;

// 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
const fold = (difference) => (difference < 0 ? -2 * difference - 1 : 2 * difference);
const unfold = (number) => (number % 2 ? -(number + 1) / 2 : number / 2);

class Writer {
  bytes = [VERSION];

  number(value) {
    let left = value;
    for (; left > 127; left = Math.floor(left / 128)) this.bytes.push(128 + (left % 128));
    this.bytes.push(left);
  }

  text(text) {
    const bytes = new TextEncoder().encode(text);
    this.number(bytes.length);
    this.bytes.push(...bytes);
  }

  drawing({ strokes, basket, name }) {
    this.text(name);
    this.number(2 * strokes.length + basket);
    let [x, y] = [0, 0];
    for (const stroke of strokes) {
      this.number(stroke.length / 2);
      for (let k = 0; k < stroke.length; k += 2) {
        this.number(fold(stroke[k] - x));
        this.number(fold(stroke[k + 1] - y));
        [x, y] = [stroke[k], stroke[k + 1]];
      }
    }
  }
}

// The part of an address after "#" from which `decode` makes the same outline.
export function encode({ seed, names, lessons, waiting }) {
  const writer = new Writer();
  writer.number(seed);
  names.forEach((name, basket) => writer.text(name === BASKET_NAMES[basket] ? "" : name));
  for (const list of [...lessons, waiting]) {
    writer.number(list.length);
    for (const drawing of list) writer.drawing(drawing);
  }
  const sum = parseInt(crc32(writer.bytes), 16);
  const bytes = [...writer.bytes, sum >>> 24, (sum >>> 16) & 255, (sum >>> 8) & 255, sum & 255];
  return LEAD + toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 1;
  }

  get atEnd() {
    return this.at >= this.bytes.length;
  }

  byte() {
    if (this.atEnd) throw new RangeError("the end is missing");
    return this.bytes[this.at++];
  }

  number() {
    let value = 0, byte = 128;
    for (let unit = 1; byte > 127; unit *= 128) {
      byte = this.byte();
      value += (byte % 128) * unit;
      if (value > 2 ** 32) throw new RangeError("a number is too large");
    }
    return value;
  }

  // As many as are told; each takes a byte at least, so a wrong length cannot ask for much.
  list(n, item) {
    if (n > this.bytes.length - this.at) throw new RangeError("the end is missing");
    return Array.from({ length: n }, item);
  }

  text() {
    const bytes = this.list(this.number(), () => this.byte());
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
  }

  drawing() {
    const name = this.text(), head = this.number();
    let x = 0, y = 0;
    const place = () => [(x += unfold(this.number())), (y += unfold(this.number()))];
    const strokes = this.list(Math.floor(head / 2), () => this.list(this.number(), place).flat());
    return { strokes, basket: head % 2, name };
  }

  outline() {
    const seed = this.number();
    const names = BASKET_NAMES.map((name) => this.text() || name);
    const lists = [];
    while (!this.atEnd) lists.push(this.list(this.number(), () => this.drawing()));
    const waiting = lists.pop();
    return { seed, names, lessons: lists, waiting };
  }
}

// Is there something to decode?
export const isLink = (fragment) => fragment.startsWith(`#${LEAD}`);

// The outline in the part of an address from "#" on; or an Error with a sentence for people.
export function decode(fragment) {
  const damaged = new Error("The drawings in this link cannot be read: a part of the link is missing or changed.");
  let bytes;
  try {
    const text = fragment.slice(LEAD.length + 1).replaceAll("-", "+").replaceAll("_", "/");
    bytes = fromBase64(text);
  } catch {
    throw damaged;
  }
  const body = bytes.subarray(0, -SUM_BYTES);
  const sum = Array.from(bytes.subarray(-SUM_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (body.length === 0 || sum !== crc32(body)) throw damaged;
  if (body[0] > VERSION) throw new Error("This link was made by a newer version of this page.");
  try {
    const outline = new Reader(body).outline();
    if (body[0] === VERSION && isOutline(outline)) return outline;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
  }
  throw damaged;
}
