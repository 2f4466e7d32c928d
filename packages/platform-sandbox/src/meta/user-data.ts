import { isIP } from 'node:net';
import { z } from 'zod';
import { isHashOfNothing } from '../hash-of-nothing.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const hashOfSomething = hash.refine((text) => !isHashOfNothing(text));
const oneOrMore = (one: z.ZodString, error: string) => z.union([z.array(one).min(1), one], error);

const hashes = oneOrMore(hash, 'must be a SHA-256 in 64 lower-case hex digits, or a list of them');
const identifiers = oneOrMore(
  hashOfSomething,
  'must be a SHA-256 in 64 lower-case hex digits, and not that of an empty value, or a list of them',
);

const mark = z
  .string()
  .regex(
    /^fb\.\d+\.\d+\.[^.\s]+(\.[\w-]{2,8})?$/,
    'must read fb.<subdomain index>.<milliseconds>.<id>, as in the cookie',
  );

const browserMark = mark.regex(
  /^fb\.\d+\.\d{13}\.\d{1,20}(\.[\w-]{2,8})?$/,
  'must read fb.<subdomain index>.<milliseconds>.<random number>, as in the cookie',
);

/** "Customer information parameters": which must be hashed, and which must not. */
export const userDataSchema = z.object({
  em: identifiers.optional(),
  ph: identifiers.optional(),
  fn: identifiers.optional(),
  ln: identifiers.optional(),
  ge: hashes.optional(),
  db: hashes.optional(),
  ct: hashes.optional(),
  st: hashes.optional(),
  zp: hashes.optional(),
  country: hashes.optional(),
  external_id: hashes.optional(),
  client_ip_address: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IP address, as it is')
    .optional(),
  client_user_agent: z
    .string()
    .min(1)
    .refine((text) => !/^[0-9a-f]{64}$/i.test(text), 'must not be hashed')
    .optional(),
  fbc: mark.optional(),
  fbp: browserMark.optional(),
});
export type UserData = z.infer<typeof userDataSchema>;

/** Whether no person could be matched: names, places and a browser alone are not enough. */
export const isTooThin = (data: UserData): boolean => {
  const browser = data.client_ip_address !== undefined && data.client_user_agent !== undefined;
  return !browser && [data.em, data.ph, data.external_id, data.fbc, data.fbp].every((key) => key === undefined);
};
