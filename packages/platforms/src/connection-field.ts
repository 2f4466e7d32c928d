import { z } from 'zod';

const noteSchema = z.strictObject({
  /** For forms. */
  label: z.string().min(1),
  /** What it is and where to find it. */
  help: z.string().min(1),
  /** What is typed for it, in one word: `id`, `token`. */
  value: z.string().min(1),
  isSecret: z.boolean().default(false),
  /** Its value is the JSON content of a file. */
  isFile: z.boolean().default(false),
});

/** A setting or credential of a connection, as options, forms and documents show it. */
export interface ConnectionField extends z.infer<typeof noteSchema> {
  readonly name: string;
  readonly isRequired: boolean;
  /** All values that it may have; empty: any text of its form. */
  readonly choices: readonly string[];
  /** Its value if none is typed; undefined: it has none then. */
  readonly standard: string | undefined;
}

const choicesOf = (field: z.core.$ZodType): readonly string[] => {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : [];
};

/** As it is read if nothing is typed. */
const untyped = (field: z.core.$ZodType) => {
  const { success, data } = z.safeParse(field, undefined);
  return { isRequired: !success, standard: typeof data === 'string' ? data : undefined };
};

/** The fields of a schema, from the `meta` of each. Throws if one has none. */
export const connectionFields = (schema: z.ZodObject): ConnectionField[] =>
  Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => ({
    name,
    ...untyped(field),
    choices: choicesOf(field),
    ...noteSchema.parse(z.globalRegistry.get(field), { error: () => `${name}: has no label, help or value` }),
  }));
