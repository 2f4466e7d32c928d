const plausible = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** An email trimmed and lower-cased, which is all that most platforms require; `undefined` if it is not one. */
export const plainEmail = (written: string): string | undefined => {
  const email = written.trim().toLowerCase();
  return plausible.test(email) ? email : undefined;
};
