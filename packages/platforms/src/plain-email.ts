const plausible = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** An e-mail address trimmed and lower-cased, which is all that most platforms ask for; `undefined` where it is none. */
export const plainEmail = (written: string): string | undefined => {
  const email = written.trim().toLowerCase();
  return plausible.test(email) ? email : undefined;
};
