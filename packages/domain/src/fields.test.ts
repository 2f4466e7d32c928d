import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  amountSchema,
  emailAddressSchema,
  optionalReference,
  optionalText,
  requiredText,
  strictSchema,
  nearestName,
  emailKey,
} from './fields.ts';
import { invalidFields } from './refusals.ts';

describe('amountSchema', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.004, '0.004'],
    [1.005, '1.005'],
    [1e3, '1000'],
    [9_999_999_999.99, '9999999999.99'],
  ])('parses the amount %d into %j without rounding', (sent, kept) => {
    expect(amountSchema.parse(sent)).toBe(kept);
  });

  it.each([
    [-0.01, 'must not be negative'],
    [9_999_999_999.995, 'must not be larger than 9999999999.99'],
    [10_000_000_000, 'must not be larger than 9999999999.99'],
    ['10', 'expected a number, without quotes: 149.9'],
    [null, 'expected a number'],
    [undefined, 'expected a number'],
    [true, 'expected a number'],
    [[1], 'expected a number'],
    [{}, 'expected a number'],
    [Number.NaN, 'expected a number'],
    [Number.POSITIVE_INFINITY, 'expected a number'],
  ])('rejects the amount %s: %s', (sent, reason) => {
    const { error } = amountSchema.safeParse(sent);
    expect(error?.issues.map((issue) => issue.message)).toEqual([reason]);
  });
});

describe('email address', () => {
  it.each([
    'a@b',
    'Ana.Pérez+x@ejemplo.com.ar',
    '"odd"@example.com',
    "o'hara+tag@x.example",
    'a@[127.0.0.1]',
    '用户@例子.广告',
  ])('accepts the email address %s', (sent) => {
    expect(emailAddressSchema.parse(sent)).toBe(sent);
  });

  it.each(['ana', '@', '@example.com', 'ana@', 'a@b@c', 'an a@example.com', 'ana@exam\u00a0ple.com'])(
    'rejects the email address %j',
    (sent) => {
      expect(emailAddressSchema.safeParse(sent).success).toBe(false);
    },
  );

  it('matches email addresses regardless of case, surrounding spaces and Unicode form', () => {
    expect(emailKey(' JOSE\u0301@Example.COM ')).toBe(emailKey('josé@example.com'));
  });
});

const problems = (schema: ReturnType<typeof requiredText | typeof optionalText>, sent: unknown) =>
  schema.safeParse(sent).error?.issues.map((issue) => issue.message);

describe('text', () => {
  it('trims text before it checks its length', () => {
    expect(requiredText(3).parse('  abc  ')).toBe('abc');
  });

  it('counts the length of text in code points, not in UTF-16 units', () => {
    expect(requiredText(2).parse('😀😀')).toBe('😀😀');
    expect(problems(requiredText(2), '😀😀😀')).toEqual(['longer than 2 characters']);
  });

  it.each([null, undefined, '', '   '])('treats the optional text %j as not sent', (sent) => {
    expect(optionalText(10).parse(sent)).toBeUndefined();
  });

  it.each(['', '   '])('rejects the required text %j', (sent) => {
    expect(problems(requiredText(10), sent)).toEqual(['must not be empty']);
  });

  it.each(['a\u200b', '\u202aa\u202c', 'a\n', '\ta\r\n', '\ufeffa', '\u00ada\u2060'])(
    'leaves out what nobody sees in %j',
    (sent) => {
      expect(requiredText(10).parse(sent)).toBe('a');
    },
  );

  it.each([
    [1042, '1042'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['1042', '1042'],
  ])('takes the reference %j as %j', (sent, kept) => {
    expect(optionalReference(255).parse(sent)).toBe(kept);
  });

  it.each([1.5, 2 ** 53, true, {}, []])('rejects the reference %j', (sent) => {
    expect(optionalReference(255).safeParse(sent).success).toBe(false);
  });

  it.each(['\u0000', 'a\u0000b', 'a\nb', 'a\tb', '\u007f', 'a\u0085'])(
    'rejects the control character in %j',
    (sent) => {
      expect(problems(optionalText(10), sent)).toContain('has control characters');
    },
  );

  it.each(['\ud800', 'a\ud800', 'a\udfff'])('rejects the unpaired surrogate in %j', (sent) => {
    expect(problems(optionalText(10), sent)).toContain('has an unpaired surrogate');
  });

  it.each([1, true, {}, []])('rejects %j as text', (sent) => {
    expect(problems(optionalText(10), sent)).toEqual(['expected a string']);
  });
});

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

const known = [
  'amount',
  'currency',
  'email',
  'clientExternalReference',
  'conversionExternalReference',
  'phoneNumber',
  'name',
];

it.each([
  ['ammount', 'amount'],
  ['amuont', 'amount'],
  ['Currency', 'currency'],
  ['mail', 'email'],
  ['phone', 'phoneNumber'],
  ['conversion_external_reference', 'conversionExternalReference'],
  ['conversionReference', 'conversionExternalReference'],
  ['clientReference', 'clientExternalReference'],
  ['orderId', 'conversionExternalReference'],
  ['order_number', 'conversionExternalReference'],
  ['transactionId', 'conversionExternalReference'],
  ['customerId', 'clientExternalReference'],
  ['total', 'amount'],
  ['value', 'amount'],
])('finds the known name nearest to %s: %s', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

it.each(['xyz', '', '€', 'colour', 'shippingName'])('finds no known name near to "%s"', (name) => {
  expect(nearestName(name, known)).toBeUndefined();
});
