import { z } from 'zod';

const schemaSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(schemaSchema).optional();
  },
  get oneOf() {
    return z.array(schemaSchema).optional();
  },
  get items() {
    return schemaSchema.optional();
  },
  get properties() {
    return z.record(z.string(), schemaSchema).optional();
  },
  required: z.array(z.string()).default([]),
});

type JsonSchema = z.infer<typeof schemaSchema>;

const doc = (description: string | undefined) => (description === undefined ? '' : `/** ${description} */\n`);

const objectOf = ({ properties = {}, required }: JsonSchema): string => {
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name);
    const type = typeOf(field);
    return `${doc(field.description)}readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;
  });
  return fields.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${fields.join('\n')}\n}`;
};

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The type of a JSON schema in TypeScript. Throws for a schema that it does not know. */
const typeOf = (schema: JsonSchema): string => {
  const { $ref, type, const: only, enum: values, anyOf, oneOf, items } = schema;
  const kinds = anyOf ?? oneOf;
  if ($ref !== undefined) return $ref.replace(/^.*\//, '');
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (kinds) return [...new Set(kinds.map(typeOf))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `readonly (${items ? typeOf(items) : 'unknown'})[]`;
  if (type === 'object') return objectOf(schema);
  const known = simple[type ?? ''];
  if (known === undefined) throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
  return known;
};

/** A type with a name. */
export const declaration = (name: string, schema: unknown): string => {
  const parsed = schemaSchema.parse(schema);
  const type = typeOf(parsed);
  const isObject = type.startsWith('{') && parsed.type === 'object';
  return `${doc(parsed.description)}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}`;
};
