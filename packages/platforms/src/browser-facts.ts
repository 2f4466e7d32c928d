import type { Attributed } from '@leadback/domain';
import { publicAddress } from './public-address.ts';

export interface BrowserFacts {
  readonly ip?: string;
  readonly userAgent?: string;
}

/** The visitor's IP address and user agent: platforms require both unhashed, and reject an invalid address. */
export const browserFacts = ({ ipAddress, userAgent }: Attributed['lead']): BrowserFacts => {
  const ip = publicAddress(ipAddress ?? '');
  const browser = userAgent?.trim();
  return { ...(ip !== undefined && { ip }), ...(browser && { userAgent: browser }) };
};
