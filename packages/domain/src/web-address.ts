import { z } from 'zod';

// browsers accept more characters in a host, some of which have a meaning in headers
const hostShape = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

const isLocal = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/**
 * An absolute https URL (http only for localhost) without user name or password. Returns it as the URL standard
 * serializes it.
 */
export const webAddressSchema = z
  .url({ error: 'expected an absolute URL such as https://shop.example/offer' })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)), 'must start with https://')
  .refine(
    ({ protocol, hostname }) => !protocol.startsWith('http') || hostShape.test(hostname),
    'the host name has invalid characters',
  )
  .refine((url) => url.username === '' && url.password === '', 'must not contain a user name or password')
  .transform(String);
