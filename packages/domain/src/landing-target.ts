import { z } from 'zod';

const isLocal = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/** The advertiser's own page: an absolute https address (http only on this machine), without user name or password. */
export const landingTargetSchema = z
  .url({ error: 'expected an absolute address such as https://shop.example/offer' })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)), 'must start with https://')
  .refine((url) => url.username === '' && url.password === '', 'must not carry a user name or password')
  .refine((url) => !url.searchParams.has('serviceId'), 'must not carry a serviceId: it is added for every visitor')
  .transform(String);

/** The target with `serviceId=<reference>` added; its own query stays as it was written. */
export const withServiceId = (target: string, reference: string): string => {
  const url = new URL(target);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}serviceId=${encodeURIComponent(reference)}`;
  return url.href;
};
