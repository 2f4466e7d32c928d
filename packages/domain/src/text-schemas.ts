import { z } from 'zod';
import { transform } from './transform.ts';

const controlCharacter = /\p{Cc}/u;
// for JSON Schema, whose tools set no flag, so that \P{Cc} is a literal for them
const controlCharacterFree = String.raw`^[^\x00-\x1F\x7F-\x9F]*$`;

const characters = (text: string) => Array.from(text).length;

const cleanText = (longest: number) =>
  z
    .string({ error: 'expected a string' })
    .meta({ maxLength: longest, pattern: controlCharacterFree })
    .refine((text) => text.isWellFormed(), 'has an unpaired surrogate')
    .refine((text) => !controlCharacter.test(text), 'has control characters')
    .pipe(transform((text: string) => text.trim()))
    .refine((text) => characters(text) <= longest, `longer than ${longest} characters`);

/** A non-empty string: trimmed, without control characters, at most `longest` code points. */
export const requiredText = (longest: number) =>
  cleanText(longest)
    .refine((text) => text !== '', 'must not be empty')
    .meta({ minLength: 1 });

/** Like `requiredText`, but absent, `null`, empty and blank become `undefined`. */
export const optionalText = (longest: number) =>
  cleanText(longest)
    .nullish()
    .pipe(transform((text: string | null | undefined) => text || undefined));

const pairsOf = (name: string): string[] => {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return Array.from(letters.slice(1), (letter, index) => `${letters[index]}${letter}`);
};

/** Sørensen-Dice: the share of pairs of letters that both have, from 0 to 1. Cases and separators do not count. */
const similarity = (one: string, other: string): number => {
  const [mine, theirs] = [pairsOf(one), pairsOf(other)];
  const rest = [...theirs];
  const both = mine.filter((pair) => {
    const at = rest.indexOf(pair);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return both.length === 0 ? 0 : (2 * both.length) / (mine.length + theirs.length);
};

/** The known name that is most similar, if any has something in common: `phone` → `phoneNumber`, not `name`. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const ranked = known.map((one) => ({ one, score: similarity(name, one) })).filter(({ score }) => score > 0);
  return ranked.toSorted((a, b) => b.score - a.score)[0]?.one;
};

interface UnknownField {
  readonly path: readonly PropertyKey[];
  readonly known: readonly string[];
}

// messages name so many; a body may have thousands
const namedMost = 5;
// other names are not repeated in messages
const isPlain = /^[\w.-]{1,64}$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of the objects or lists that a schema takes. */
const unwrapped = (schema: unknown): unknown => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch
  ) {
    return unwrapped(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
};

const unknownFields = (given: unknown, value: unknown, path: readonly PropertyKey[] = []): UnknownField[] => {
  const schema = unwrapped(given);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownFields(schema.element, item, [...path, index]));
  }
  if (schema instanceof z.ZodUnion) {
    const ofOptions = schema.options.map((option) => unknownFields(option, value, path));
    return ofOptions.toSorted((one, other) => one.length - other.length)[0] ?? [];
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return [];
  const known = Object.keys(schema.shape);
  return Object.entries(value).flatMap(([name, field]) =>
    Object.hasOwn(schema.shape, name)
      ? unknownFields(schema.shape[name], field, [...path, name])
      : [{ path: [...path, name], known }],
  );
};

const issueOf = ({ path, known }: UnknownField): z.core.$ZodRawIssue => {
  const name = String(path.at(-1));
  const nearest = nearestName(name, known);
  const all = known.length === 0 ? 'expected no fields' : `expected one of ${known.join(', ')}`;
  return {
    code: 'custom',
    path: isPlain.test(name) ? [...path] : path.slice(0, -1),
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
