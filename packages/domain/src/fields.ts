import { z } from 'zod';
import { transform } from 'zod/mini';
import { testEventIdPrefix } from './conversion.ts';
import { currencies } from './currency.ts';
import { instantOf } from './instant.ts';

// `schema.pipe(transform(change))` is `schema.transform(change)` for fields that each request has. The method makes a function
// for every value, by which `change` could add issues. V8 puts it into the old generation at once, since it is assigned to a
// property, and there it keeps its request from being collected.
const controlCharacter = /\p{Cc}/u;
// for JSON Schema, whose tools set no flag, so that \P{Cc} is a literal for them; white space at the ends is trimmed
const controlCharacterFree = String.raw`^\s*[^\x00-\x1F\x7F-\x9F]*\s*$`;
// nobody sees them, and contact apps and checkouts add them to what people copy: marks of direction, zero-width blanks
const formatCharacters = /\p{Cf}/gu;

/** A text without format characters, and without white space of any kind at its ends. */
export const cleaned = (text: string): string => text.replace(formatCharacters, '').trim();

const characters = (text: string) => Array.from(text).length;

const expectedString = 'expected a string';
const sentText = z.string({ error: expectedString });
// an id that its database holds as a number; `z.int()` takes no number that JSON has changed already
const sentTextOrDigits = z.union([z.string(), z.int()], { error: expectedString });

// One step for each field rather than one for each rule: what costs a request is the number of steps.
const textProblems = (text: string, longest: number): string[] => [
  ...(text.isWellFormed() ? [] : ['has an unpaired surrogate']),
  ...(controlCharacter.test(text) ? ['has control characters'] : []),
  ...(text.length <= longest || characters(text) <= longest ? [] : [`longer than ${longest} characters`]),
];

const plainText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const checkedText = (sent: string, longest: number, payload: z.core.ParsePayload): string => {
  if (sent.length <= longest && plainText.test(sent)) return sent;
  const text = cleaned(sent);
  const problems = textProblems(text, longest);
  payload.issues.push(
    ...problems.map((message) => ({ code: 'custom' as const, message, input: sent, continue: true })),
  );
  return text;
};

const required = <Sent extends string | number>(source: z.ZodType<Sent, Sent>, longest: number) =>
  source
    .meta({ minLength: 1, maxLength: longest, pattern: controlCharacterFree })
    .pipe(transform((sent: Sent, payload) => checkedText(String(sent), longest, payload)))
    .refine((text) => text !== '', 'must not be empty');

const optional = <Sent extends string | number>(source: z.ZodType<Sent, Sent>, longest: number) =>
  source
    .meta({ maxLength: longest, pattern: controlCharacterFree })
    .nullish()
    .pipe(
      transform((sent: Sent | null | undefined, payload) =>
        sent === undefined || sent === null ? undefined : checkedText(String(sent), longest, payload) || undefined,
      ),
    );

/** A non-empty string: cleaned, without control characters, at most `longest` code points. */
export const requiredText = (longest: number) => required(sentText, longest);

/** Like `requiredText`, but absent, `null`, empty and blank become `undefined`. */
export const optionalText = (longest: number) => optional(sentText, longest);

/** Like `requiredText`. A whole number counts as its digits. */
export const requiredReference = (longest: number) => required(sentTextOrDigits, longest);

/** Like `optionalText`, for a reference or a phone number. A whole number counts as its digits. */
export const optionalReference = (longest: number) => optional(sentTextOrDigits, longest);

const leadReferenceParameter = /serviceId=([0-9A-Za-z]{22})(?![0-9A-Za-z])/i;
const leadReferenceInside = /(?<![0-9A-Za-z])([0-9A-Za-z]{22})(?![0-9A-Za-z])/;

/** The lead reference in a text: alone, in a cookie, or in an address. Else the text. */
// the same rule is in `lead_reference_in`, for the rows of files
export const leadReferenceIn = (sent: string): string =>
  (leadReferenceParameter.exec(sent) ?? leadReferenceInside.exec(sent))?.[1] ?? sent;

const addressLongest = 2_048;
const leadReferenceLongest = 64;
const isShortReference = (reference: string | undefined) =>
  reference === undefined || reference.length <= leadReferenceLongest || characters(reference) <= leadReferenceLongest;
const longReference = `longer than ${leadReferenceLongest} characters`;

/**
 * A lead reference as sites pass it on: alone, in quotes, with a fragment or more parameters behind it, or as the whole
 * address of the page, whose parameter `serviceId` counts.
 */
export const leadReferenceSchema = requiredText(addressLongest)
  .pipe(transform(leadReferenceIn))
  .refine(isShortReference, longReference);

export const optionalLeadReferenceSchema = optionalText(addressLongest)
  .pipe(transform((sent: string | undefined) => (sent === undefined ? undefined : leadReferenceIn(sent))))
  .refine(isShortReference, longReference);

/** A SHA-256 in hexadecimal: what somebody sends who may not send the contact itself. */
export const sha256Shape = /^[0-9a-f]{64}$/i;

const phoneLongest = 40;

/** A phone number as people write it, with whatever is around it, or the SHA-256 of one. */
export const phoneNumberSchema = optionalReference(64).refine(
  (sent) => sent === undefined || sha256Shape.test(sent) || characters(sent) <= phoneLongest,
  `longer than ${phoneLongest} characters`,
);

const emailLongest = 254;
// stricter rules would turn real customers away
const oneAtSign = /^[^@\s,;<>]+@[^@\s,;<>]+$/u;
const inBrackets = /<([^<>]*)>\s*$/;

/**
 * The email addresses in a text, as people write them into one field: alone, with a name (`Ana <ana@example.com>`), as a
 * link, or several with commas or semicolons between them. One is only one `@` with text on both sides and no spaces. The SHA-256 of
 * an address stands for it: banks send nothing else.
 */
export const emailAddressesIn = (text: string): string[] =>
  sha256Shape.test(text) || (oneAtSign.test(text) && !/^mailto:/i.test(text))
    ? [text]
    : text.split(/[,;]/).flatMap((part) => {
        const address = (inBrackets.exec(part)?.[1] ?? part).trim().replace(/^mailto:/i, '');
        return oneAtSign.test(address) ? [address] : [];
      });

/** The email address by which a person is found and matched: the first one in the text. */
export const emailAddressOf = (text: string | null | undefined): string | undefined => emailAddressesIn(text ?? '')[0];

export const expectedEmailAddress = 'expected an email address: one @, text on both sides, no spaces';

/** An optional email address that names a person: the first one in what was sent. */
export const emailAddressSchema = optionalText(emailLongest)
  .refine((sent) => sent === undefined || emailAddressOf(sent) !== undefined, expectedEmailAddress)
  .pipe(transform((sent: string | undefined) => emailAddressOf(sent)));

/** The email of a contact, as sent. */
export const contactEmailSchema = optionalText(emailLongest);

/** The email that is kept of a contact: the first address in what was sent. If it has none, it is kept as sent and never used. */
export const contactEmailOf = (sent: string | undefined): string | undefined => emailAddressOf(sent) ?? sent;

/** The normalised form by which clients are found. */
export const emailKey = (email: string) => cleaned(email).normalize('NFC').toLowerCase();

/** The key of the first email address in the text of a contact, if it has one. */
export const emailKeyIn = (text: string | null | undefined): string | undefined => {
  const address = emailAddressOf(text);
  return address === undefined ? undefined : emailKey(address);
};

const largest = 9_999_999_999.99;

const isNumberAsText = (input: unknown): boolean => typeof input === 'string' && /^\d+(?:\.\d+)?$/.test(input);

/**
 * Parses a JSON number from 0 to 9,999,999,999.99 into its shortest decimal notation, so that no binary arithmetic
 * changes it: it is rounded where its currency is known.
 */
export const amountSchema = z
  .number({
    error: ({ input }) => (isNumberAsText(input) ? 'expected a number, without quotes: 149.9' : 'expected a number'),
  })
  .min(0, 'must not be negative')
  .max(largest, `must not be larger than ${largest}`)
  .pipe(transform(String));

const expectedCode = 'expected a currency of ISO 4217 in capitals, such as USD';

/** Documented by its form: which codes an account takes, its operator decides. */
export const currencySchema = z
  .string({ error: expectedCode })
  .meta({ minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' })
  .pipe(transform(cleaned))
  .pipe(z.enum(currencies, { error: expectedCode }));

const expectedCodes = 'expected codes of ISO 4217 in capitals with commas between them, such as USD,ARS,BRL';

/** Different currencies, the first of which is shown first; also as a text with commas. */
export const currencyListSchema = z
  .preprocess(
    (sent) => (typeof sent === 'string' ? sent.split(',').map((code) => code.trim()) : sent),
    z.array(z.enum(currencies, expectedCodes), expectedCodes).min(1, expectedCodes),
  )
  .transform((codes) => [...new Set(codes)]);

const example = '2026-11-21T09:30:00-03:00';
const expectedTime = `expected a time with its offset from UTC (RFC 3339), such as ${example}`;

/** The range is checked by the clock of the database when the conversion is registered. */
export const occurredAtRange = `expected a time at most 5 minutes ahead and at most 400 days ago, such as ${example}`;

// only refuses times that PostgreSQL cannot represent; the range is checked later
const isRepresentableTime = (time: number) => time > Date.UTC(1970, 0) && time < Date.UTC(3000, 0);

/** Time of a conversion, in UTC. Absent, `null` and blank count as not sent. */
export const occurredAtSchema = z
  .string({ error: expectedTime })
  .meta({ format: 'date-time' })
  .pipe(transform(cleaned))
  .refine((text) => text === '' || instantOf(text) !== undefined, { error: expectedTime, abort: true })
  .pipe(transform((text: string) => instantOf(text)))
  .refine((time) => time === undefined || isRepresentableTime(Date.parse(time)), occurredAtRange)
  .nullish()
  .pipe(transform((time: string | null | undefined) => time ?? undefined));

const eventIdShape = /^[A-Za-z0-9._:-]{1,64}$/;
const eventIdFormat = 'expected 1 to 64 characters of A-Z a-z 0-9 . _ : -';

/** The id that the partner's pixel sends for the same sale. Absent, `null` and blank count as not sent. */
export const eventIdSchema = z
  .string({ error: eventIdFormat })
  .meta({ maxLength: 64, pattern: '^[A-Za-z0-9._:-]*$' })
  .pipe(transform(cleaned))
  .refine((id) => id === '' || eventIdShape.test(id), eventIdFormat)
  .refine((id) => !id.startsWith(testEventIdPrefix), `must not begin with "${testEventIdPrefix}", which marks tests`)
  .nullish()
  .pipe(transform((id: string | null | undefined) => id || undefined));

const prefixFormat = 'expected at most 16 characters of A-Z a-z 0-9 . _ : -, or nothing';

/**
 * What all event ids of an account begin with, so that accounts that report to one destination do not use the same ids. Empty: nothing.
 * With it, no live id may look like that of a test.
 */
export const eventIdPrefixSchema = z
  .string({ error: prefixFormat })
  .pipe(transform(cleaned))
  .refine((prefix) => prefix === '' || (prefix.length <= 16 && eventIdShape.test(prefix)), prefixFormat)
  .refine(
    (prefix) => prefix === '' || !(testEventIdPrefix.startsWith(prefix) || prefix.startsWith(testEventIdPrefix)),
    `must not be like "${testEventIdPrefix}", which marks tests`,
  );

const eventNameShape = /^[A-Za-z0-9 ._-]{1,64}$/;
const eventNameFormat = 'expected 1 to 64 characters of A-Z a-z 0-9 . _ - and blanks';

/** A partner's own name for a kind of conversion. Absent, `null` and blank count as not sent. */
export const eventNameSchema = z
  .string({ error: eventNameFormat })
  .meta({ maxLength: 64, pattern: '^[A-Za-z0-9 ._-]*$' })
  .pipe(transform(cleaned))
  .refine((name) => name === '' || eventNameShape.test(name), eventNameFormat)
  .nullish()
  .pipe(transform((name: string | null | undefined) => name || undefined));

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const pairsOf = (name: string): string[] => {
  const letters = lettersOf(name);
  return Array.from(letters.slice(1), (letter, index) => `${letters[index]}${letter}`);
};

const sortedLetters = (name: string): string => Array.from(lettersOf(name)).toSorted().join('');

/**
 * Sørensen-Dice: the share of pairs of letters that both have, from 0 to 1. Cases and separators do not count. 1 for the same
 * letters in another order.
 */
const similarity = (one: string, other: string): number => {
  if (lettersOf(one) !== '' && sortedLetters(one) === sortedLetters(other)) return 1;
  const [mine, theirs] = [pairsOf(one), pairsOf(other)];
  const rest = [...theirs];
  const both = mine.filter((pair) => {
    const at = rest.indexOf(pair);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return both.length === 0 ? 0 : (2 * both.length) / (mine.length + theirs.length);
};

const customer = ['customer', 'customerid', 'clientid', 'userid', 'buyerid'];

/** What other APIs call our fields, in small letters. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  amount: ['value', 'price', 'total', 'revenue', 'totalprice', 'totalamount', 'ordertotal'],
  clientExternalReference: customer,
  conversionExternalReference: [
    'order',
    'orderid',
    'ordernumber',
    'transactionid',
    'saleid',
    'conversionid',
    'externalid',
  ],
  currency: ['currencycode'],
  externalReference: [...customer, 'externalid'],
  leadReference: ['serviceid', 'leadid', 'clickref', 'lead'],
  name: ['fullname', 'customername'],
  occurredAt: ['date', 'time', 'timestamp', 'eventtime', 'createdat', 'paidat'],
};

// with less in common, the guess is wrong more often than right
const similarEnough = 0.5;

/**
 * The known name that is meant: what another API calls it (`orderId`), or the most similar one (`phone` → `phoneNumber`).
 * Undefined if none is similar enough.
 */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const letters = lettersOf(name);
  const synonym = known.find((one) => otherNames[one]?.includes(letters));
  if (synonym !== undefined) return synonym;
  const ranked = known
    .map((one) => ({ one, score: similarity(name, one) }))
    .filter(({ score }) => score > similarEnough);
  return ranked.toSorted((a, b) => b.score - a.score)[0]?.one;
};

interface UnknownField {
  readonly path: readonly PropertyKey[];
  readonly known: readonly string[];
}

// messages name so many; a body may have thousands
const namedMost = 5;
/** Other names are not repeated in messages. */
export const isPlainName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unwrap = (schema: unknown): unknown => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch
  ) {
    return unwrap(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.in) : schema;
};

// to unwrap a schema takes as long as to parse, and each request needs it
const unwrappedSchemas = new WeakMap<object, unknown>();

/** The schema of the objects or lists that a schema takes. */
const unwrapped = (schema: object): unknown => {
  const known = unwrappedSchemas.get(schema);
  if (known !== undefined) return known;
  const found = unwrap(schema);
  unwrappedSchemas.set(schema, found);
  return found;
};

/** The fields of a value that a schema does not know. */
export const unknownFields = (given: unknown, value: unknown, path: readonly PropertyKey[] = []): UnknownField[] => {
  if (typeof value !== 'object' || value === null || typeof given !== 'object' || given === null) return [];
  const schema = unwrapped(given);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownFields(schema.element, item, [...path, index]));
  }
  if (schema instanceof z.ZodUnion) {
    const ofOptions = schema.options.map((option) => unknownFields(option, value, path));
    return ofOptions.toSorted((one, other) => one.length - other.length)[0] ?? [];
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return [];
  const { shape } = schema;
  const unknown: UnknownField[] = [];
  for (const [name, field] of Object.entries(value)) {
    if (!Object.hasOwn(shape, name)) unknown.push({ path: [...path, name], known: Object.keys(shape) });
    else if (typeof field === 'object' && field !== null)
      unknown.push(...unknownFields(shape[name], field, [...path, name]));
  }
  return unknown;
};

const issueOf = ({ path, known }: UnknownField): z.core.$ZodRawIssue => {
  const name = String(path.at(-1));
  const nearest = nearestName(name, known);
  const all = known.length === 0 ? 'expected no fields' : `expected one of ${known.join(', ')}`;
  return {
    code: 'custom',
    path: isPlainName(name) ? [...path] : path.slice(0, -1),
    message: `unknown field, ${nearest === undefined ? all : `did you mean ${nearest}?`}`,
    input: undefined,
  };
};

/** Like the schema, but refuses unknown fields of objects, with the nearest known name, besides all other problems. */
export const strictSchema = <Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>> =>
  z.unknown().transform((value, context) => {
    const { data, error } = schema.safeParse(value);
    const unknown = unknownFields(schema, value).slice(0, namedMost);
    context.issues.push(
      ...(error?.issues ?? []).map((issue) => ({ ...issue, input: undefined })),
      ...unknown.map(issueOf),
    );
    return error ? z.NEVER : data;
  });

const expectedDay = 'expected a day such as 2026-11-21';

/** A day, `YYYY-MM-DD`, that PostgreSQL can represent. */
export const daySchema = z
  .string({ error: expectedDay })
  .trim()
  .refine((text) => z.iso.date().safeParse(text).success && text >= '1970-01-01' && text < '3000-01-01', {
    error: expectedDay,
    abort: true, // what compares days needs days
  });

const dayMs = 86_400_000;

/** The day so many days later. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The first day (UTC) on which something no longer works. */
export const expiryDaySchema = z.iso
  .date('expected a date such as 2027-01-31')
  .transform((day) => new Date(day))
  .refine((day) => day > new Date(), 'has passed');

const expectedMoment = 'expected a day such as 2026-11-21, or a time with its offset such as 2026-11-21T00:00:00-03:00';

export const isDay = (text: string) => z.iso.date().safeParse(text).success;
const isTime = (text: string) => instantOf(text) !== undefined;

// what PostgreSQL can represent
const isRepresentableMoment = (text: string) => text >= '1970-01-02' && text < '2999';

/** An end of a range of time: a day, which begins and ends by the clocks of an account, or a time in ISO 8601 in UTC. */
export const dayOrTimeSchema = z
  .string({ error: expectedMoment })
  .trim()
  .refine((text) => (isDay(text) || isTime(text)) && isRepresentableMoment(text), expectedMoment)
  .transform((text) => instantOf(text) ?? text);

/** Whether a range of days, or of times, is empty. Of a day and a time, only the clocks of an account can tell. */
export const isEmptyRange = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  isDay(from) === isDay(to) && (isDay(from) ? from > to : from >= to);

const expectedTimeZone = 'expected a time zone by its IANA name, such as America/Argentina/Buenos_Aires, or UTC';

const isTimeZone = (name: string): boolean => {
  // abbreviations and offsets mean one thing here and another one in PostgreSQL
  if (!/^(?:utc|[a-z][\w+-]*(?:\/[\w+-]+)+)$/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The name of a time zone, in any case; the database knows how it is written. */
export const timeZoneSchema = z.string(expectedTimeZone).trim().refine(isTimeZone, expectedTimeZone);
