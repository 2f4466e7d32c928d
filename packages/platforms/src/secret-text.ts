import { z } from 'zod';

/** A token or secret: it goes into a header or a form, and a line break in it is always a slip of the clipboard. */
export const secretText = (expected: string) =>
  z
    .string({ error: expected })
    .trim()
    .regex(/^[\x21-\x7e]+$/, `${expected}, in one piece without blanks`);
