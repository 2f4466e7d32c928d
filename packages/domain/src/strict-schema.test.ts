import { expect, it } from 'vitest';
import { z } from 'zod';
import { invalidFields } from './refusals.ts';
import { strictSchema } from './fields.ts';

const item = z.object({
  amount: z.number('expected a number'),
  note: z
    .string()
    .nullish()
    .transform((note) => note ?? undefined),
});
const body = z
  .object({ items: z.array(item).optional(), email: z.string().optional() }, { error: 'expected a JSON object' })
  .refine(({ email }) => email !== 'x', { path: ['email'], message: 'not x' });

const messageOf = (schema: z.ZodType, value: unknown): string | undefined => {
  const { error } = strictSchema(schema).safeParse(value);
  return error && invalidFields(error).message;
};

it('a strict schema accepts what its schema accepts, and returns the same', () => {
  const value = { items: [{ amount: 1, note: null }], email: 'a@b' };
  expect(strictSchema(body).parse(value)).toEqual(body.parse(value));
  expect(strictSchema(z.array(z.unknown())).parse([{ any: 1 }])).toEqual([{ any: 1 }]);
});

it.each([
  [{ mail: 'a@b' }, 'mail: unknown field, did you mean email?'],
  [{ xyz: 1 }, 'xyz: unknown field, expected one of items, email'],
  [{ items: [{ amount: 1 }, { amount: 1, ammount: 2 }] }, 'items.1.ammount: unknown field, did you mean amount?'],
  [
    { items: [{ ammount: 2 }] },
    'items.0.amount: expected a number; items.0.ammount: unknown field, did you mean amount?',
  ],
  [{ email: 'x', mail: 1 }, 'email: not x; mail: unknown field, did you mean email?'],
  [
    JSON.parse('{"__proto__": 1, "toString": 2}'),
    '__proto__: unknown field, expected one of items, email; toString: unknown field, expected one of items, email',
  ],
  [{ 'a\u0000<b>': 1 }, 'body: unknown field, expected one of items, email'],
  ['text', 'body: expected a JSON object'],
])('a strict schema refuses %j, naming every problem', (value, message) => {
  expect(messageOf(body, value)).toBe(message);
});

it('a strict schema takes a field that any variant of a union has', () => {
  const either = z.union([z.object({ a: z.number() }), z.object({ b: z.number() })]);
  expect(messageOf(either, { b: 1 })).toBeUndefined();
  expect(messageOf(either, { b: 1, c: 2 })).toBe('c: unknown field, expected one of b');
});

it('a strict schema names five unknown fields at most', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1]));
  expect(messageOf(body, many)?.match(/unknown field/g)).toHaveLength(5);
});
