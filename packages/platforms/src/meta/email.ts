const ascii = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** Trimmed and lower-cased, with dots and +suffix; ASCII only, as in Meta's own libraries. */
export const metaEmail = (written: string): string | undefined => {
  const email = written.trim().toLowerCase();
  return ascii.test(email) ? email : undefined;
};
