type Fields = Readonly<Record<string, unknown>>;

/** Leaves out undefined fields: platforms accept a missing field, but no empty one. */
export const knownFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
