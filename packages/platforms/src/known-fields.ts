type Fields = Readonly<Record<string, unknown>>;

/** Leaves out undefined fields: platforms accept a missing field, but no empty one. */
export const knownFields = (fields: Fields): Fields => {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) known[name] = fields[name];
  return known;
};
