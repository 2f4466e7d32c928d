import { isUtf8 } from 'node:buffer';
import type { ReceivedRequest } from './kind.ts';

const windows1252 = new TextDecoder('windows-1252');

/** A body as text: in UTF-8, or else as browsers and PHP read what is not. Without a byte order mark. */
export const textOf = (body: Buffer): string =>
  (isUtf8(body) ? body.toString() : windows1252.decode(body)).replace(/^\uFEFF/, '');

const wholeNumber = /^-?\d+$/;

/** An id beyond 2^53 as text: as a number, it would be another one. */
const exactly = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(context?.source ?? '')
    ? context?.source
    : value;

// to look at every number takes five times as long
const hasLongNumber = /\d{16}/;

/** Reads JSON without a loss: whole numbers beyond 2^53 become text. Throws a SyntaxError. */
export const readJson = (text: string): unknown =>
  hasLongNumber.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const namePart = /\[([^\][]*)\]/g;
const partsMax = 8;
// an order of a shop has some hundred
const fieldsMax = 2_000;

/** `order[items][0][price]`, as PHP names the fields of forms, as the parts of a path. */
const pathIn = (name: string): string[] => {
  const first = name.indexOf('[');
  if (first <= 0) return [name];
  const inner = Array.from(name.slice(first).matchAll(namePart), ([, part = '']) => part);
  return [name.slice(0, first), ...inner].slice(0, partsMax);
};

interface Tree {
  [name: string]: string | Tree;
}

// without a prototype: a name such as `__proto__` is one as any other
const newTree = (): Tree => Object.create(null);

/**
 * The fields of a form or query; the first of several with one name counts, unless it ends with []. Throws a SyntaxError for more than
 * 2,000 fields.
 */
export const readForm = (text: string): Readonly<Record<string, unknown>> => {
  const tree = newTree();
  const counts = new Map<Tree, number>();
  let fields = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    fields += 1;
    if (fields > fieldsMax) throw new SyntaxError('too many fields');
    const path = pathIn(name);
    let at = tree;
    for (const part of path.slice(0, -1)) {
      const next = at[part];
      if (typeof next === 'object') at = next;
      else {
        const inner = newTree();
        at[part] = inner;
        at = inner;
      }
    }
    const last = path.at(-1) ?? '';
    const count = counts.get(at) ?? 0;
    const own = last === '' ? String(count) : last;
    if (own in at) continue;
    at[own] = value;
    counts.set(at, count + 1);
  }
  return tree;
};

/** The fields of a body of JSON or of a form, whatever its sender calls it. Throws a SyntaxError. */
export const readBody = ({ headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>): unknown => {
  const text = textOf(body);
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '');
  if (!isForm || /^\s*[[{]/.test(text)) return readJson(text);
  return readForm(text);
};

/** What is at a path such as `data.items.0.price`; undefined: nothing is. */
export const valueAt = (value: unknown, path: string): unknown => {
  let at = value;
  for (const part of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
};

/** A text or number as text, trimmed; undefined for all else, and for nothing. */
export const textIn = (value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value.trim() || undefined : undefined;
};

/** The same at a path. */
export const textAt = (value: unknown, path: string): string | undefined => textIn(valueAt(value, path));

const depthMax = 32;

// a phone number, perhaps
const numberLongEnough = 1_000_000;

/** Every text inside a value, in its order, and the digits of large numbers. */
export function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number' && value >= numberLongEnough) yield String(value);
  else if (typeof value === 'object' && value !== null && depth < depthMax) {
    for (const inner of Object.values(value)) yield* textsIn(inner, depth + 1);
  }
}
