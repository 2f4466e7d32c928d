import { z } from 'zod';

// a browser takes more than that for a host, some of which says something else in a header
const hostShape = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

const isLocal = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/** An absolute https address (http only on this machine), without user name or password. Gives it as the URL standard writes it. */
export const webAddressSchema = z
  .url({ error: 'expected an absolute address such as https://shop.example/offer' })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)), 'must start with https://')
  .refine(
    ({ protocol, hostname }) => !protocol.startsWith('http') || hostShape.test(hostname),
    'its host has characters that no host has',
  )
  .refine((url) => url.username === '' && url.password === '', 'must not carry a user name or password')
  .transform(String);
