import type { AttributedConversion } from '@leadback/domain';
import { publicAddress } from './public-address.ts';

export interface BrowserFacts {
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Where the visitor came from and with what, as it is: platforms want neither hashed, and refuse an address that is none. */
export const browserFacts = ({ ipAddress, userAgent }: AttributedConversion['lead']): BrowserFacts => {
  const ip = publicAddress(ipAddress ?? '');
  const browser = userAgent?.trim();
  return { ...(ip !== undefined && { ip }), ...(browser && { userAgent: browser }) };
};
