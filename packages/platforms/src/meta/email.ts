const ascii = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** Trimmed and lower-cased, dots and +suffix kept; Meta's own libraries refuse anything but ASCII. */
export const metaEmail = (written: string): string | undefined => {
  const email = written.trim().toLowerCase();
  return ascii.test(email) ? email : undefined;
};
