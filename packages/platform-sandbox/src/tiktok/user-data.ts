import { isIP } from 'node:net';
import { z } from 'zod';

const hash = z.string('Not a valid string.').regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in 64 lower-case hex digits.');
const hashes = z.union([hash, z.array(hash).min(1)], 'Must be a SHA-256 in 64 lower-case hex digits.');

/** `user` of an event: which fields must be hashed, and which must not. */
export const userSchema = z.object({
  email: hashes.optional(),
  phone: hashes.optional(),
  external_id: hashes.optional(),
  first_name: hash.optional(),
  last_name: hash.optional(),
  zip_code: hash.optional(),
  ttclid: z
    .string('Not a valid string.')
    .regex(/^[\w.~=-]{4,1000}$/, 'Must be a click id, as in the URL.')
    .optional(),
  ttp: z
    .string('Not a valid string.')
    .regex(/^[\w.~=-]{4,1000}$/, 'Must be the id in the cookie _ttp.')
    .optional(),
  ip: z
    .string('Not a valid string.')
    .refine((text) => isIP(text) !== 0, 'Must be an IP address, as it is.')
    .optional(),
  user_agent: z.string('Not a valid string.').min(1, 'Must not be empty.').optional(),
  locale: z
    .string('Not a valid string.')
    .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/, 'Must be language[-Script][-Region] of BCP 47.')
    .optional(),
});
export type User = z.infer<typeof userSchema>;

/** Whether no person could be matched: a name and a browser are not enough. */
export const isTooThin = ({ ttclid, ttp, email, phone, external_id: externalId }: User): boolean =>
  [ttclid, ttp, email, phone, externalId].every((key) => key === undefined);
