/** Bytes in a JSON parameter, as PostgreSQL reads a `bytea`. */
export const byteaText = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
