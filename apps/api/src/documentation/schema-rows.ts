import type { ApiDescription, JsonSchema } from './api-description.ts';

/** A field of a body, for a table. */
export interface FieldRow {
  /** With its parents: `deliveries[].state`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

type Schemas = ApiDescription['components']['schemas'];

const typeNames: Readonly<Record<string, string>> = {
  integer: 'integer',
  'string date-time': 'time (RFC 3339)',
  null: '`null`',
};

const rangeOf = (minimum: number | undefined, maximum: number | undefined, unit: string): string[] => {
  if (maximum === undefined) return minimum === undefined || minimum === 0 ? [] : [`at least ${minimum}${unit}`];
  if (minimum === undefined) return [`up to ${maximum}${unit}`];
  return [`${minimum} to ${maximum}${unit}`];
};

// JSON Schema of an integer has the limits of JavaScript; they say nothing
const isOfLanguage = (limit: number | undefined) => Math.abs(limit ?? 0) === Number.MAX_SAFE_INTEGER;
const said = (limit: number | undefined) => (isOfLanguage(limit) ? undefined : limit);

const limitsOf = ({ minLength, maxLength, minimum, maximum, minItems, maxItems }: JsonSchema): string[] => [
  ...rangeOf(minLength, maxLength, ' characters'),
  ...rangeOf(said(minimum), said(maximum), ''),
  ...rangeOf(minItems, maxItems, ' items'),
];

/** Describes schemas of a document, whose references it resolves. */
export const schemaReader = (schemas: Schemas) => {
  const resolved = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : (schemas[schema.$ref.replace('#/components/schemas/', '')] ?? schema);

  const variantsOf = (schema: JsonSchema): JsonSchema[] => {
    const { anyOf, oneOf, allOf } = resolved(schema);
    const variants = [...anyOf, ...oneOf, ...allOf];
    return variants.length === 0 ? [resolved(schema)] : variants.flatMap(variantsOf);
  };

  const nameOf = (schema: JsonSchema): string => {
    if (schema.const !== undefined) return `\`${String(schema.const)}\``;
    if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
    if (schema.items) return `list of ${typeOf(schema.items)}`;
    const types = [schema.type ?? 'any value'].flat();
    const name = types.map((type) => typeNames[`${type} ${schema.format}`] ?? typeNames[type] ?? type).join(' or ');
    return [name, ...limitsOf(schema)].join(', ');
  };

  const typeOf = (schema: JsonSchema): string => [...new Set(variantsOf(schema).map(nameOf))].join(' or ');

  const rowsOf = (schema: JsonSchema, prefix = ''): FieldRow[] => {
    const rows = variantsOf(schema).flatMap(({ items, properties, required }) => [
      ...(items ? rowsOf(items, `${prefix}[]`) : []),
      ...Object.entries(properties).flatMap(([name, field]) => {
        const full = prefix === '' ? name : `${prefix}.${name}`;
        const description = field.description ?? resolved(field).description ?? '';
        const row = { name: full, type: typeOf(field), isRequired: required.includes(name), description };
        return [row, ...rowsOf(field, full)];
      }),
    ]);
    return [...new Map(rows.map((row) => [row.name, row])).values()];
  };

  return { rowsOf, typeOf };
};
