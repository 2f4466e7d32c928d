import { webAddressSchema } from './web-address.ts';

/** The URL of the target page. */
export const landingTargetSchema = webAddressSchema.refine(
  (address) => !new URL(address).searchParams.has('serviceId'),
  'must not contain serviceId: Leadback adds it for each visitor',
);

/** Adds `serviceId=<reference>`. The existing query stays unchanged. */
export const withServiceId = (target: string, reference: string): string => {
  const url = new URL(target);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}serviceId=${encodeURIComponent(reference)}`;
  return url.href;
};
