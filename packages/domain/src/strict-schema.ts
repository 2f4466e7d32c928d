import { z } from 'zod';
import { nearestName } from './nearest-name.ts';

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
