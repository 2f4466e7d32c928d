import { z } from 'zod';

const isLocal = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/** An absolute https address (http only on this machine), without user name or password. Gives it as the URL standard writes it. */
export const webAddressSchema = z
  .url({ error: 'expected an absolute address such as https://shop.example/offer' })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)), 'must start with https://')
  .refine((url) => url.username === '' && url.password === '', 'must not carry a user name or password')
  .transform(String);
