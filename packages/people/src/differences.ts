/** What changed, field by field, as the audit log keeps it. Compares the JSON of each value. */
export const differences = <Fields extends Readonly<Record<string, unknown>>>(
  before: Fields,
  after: Fields,
): Record<string, { readonly before: unknown; readonly after: unknown }> =>
  Object.fromEntries(
    Object.keys(after)
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, { before: before[field], after: after[field] }]),
  );
