import { z } from 'zod';

/** A token or secret. It is sent in a header or form; a blank or line break in it is always a copy error. */
export const secretText = (expected: string) =>
  z
    .string({ error: expected })
    .trim()
    .regex(/^[\x21-\x7e]+$/, `${expected}, in one piece without blanks`);
