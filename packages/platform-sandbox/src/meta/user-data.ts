import { isIP } from 'node:net';
import { z } from 'zod';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hex digits');
const hashes = z.union(
  [hash, z.array(hash).min(1)],
  'must be a SHA-256 in 64 lower-case hex digits, or a list of such',
);

const mark = z
  .string()
  .regex(
    /^fb\.\d+\.\d+\.[^.\s]+(\.[\w-]{2,8})?$/,
    'must read fb.<subdomain index>.<milliseconds>.<id>, as in the cookie',
  );

/** "Customer information parameters": what must be hashed, and what must not. */
export const userDataSchema = z.object({
  em: hashes.optional(),
  ph: hashes.optional(),
  fn: hashes.optional(),
  ln: hashes.optional(),
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
  client_user_agent: z.string().min(1).optional(),
  fbc: mark.optional(),
  fbp: mark.optional(),
});
export type UserData = z.infer<typeof userDataSchema>;

/** Whether nobody could be found by this: names, places and a browser alone are too broad. */
export const isTooThin = (data: UserData): boolean => {
  const browser = data.client_ip_address !== undefined && data.client_user_agent !== undefined;
  return !browser && [data.em, data.ph, data.external_id, data.fbc, data.fbp].every((key) => key === undefined);
};
