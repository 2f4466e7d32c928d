import { webAddressSchema } from './web-address.ts';

/** The advertiser's own page. */
export const landingTargetSchema = webAddressSchema.refine(
  (address) => !new URL(address).searchParams.has('serviceId'),
  'must not carry a serviceId: it is added for every visitor',
);

/** The target with `serviceId=<reference>` added; its own query stays as it was written. */
export const withServiceId = (target: string, reference: string): string => {
  const url = new URL(target);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}serviceId=${encodeURIComponent(reference)}`;
  return url.href;
};
