import { isIP } from 'node:net';
import type { AttributedConversion } from '@leadback/domain';

export interface BrowserFacts {
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Where the visitor came from and with what, as it is: platforms want neither hashed, and refuse an address that is none. */
export const browserFacts = ({ ipAddress, userAgent }: AttributedConversion['lead']): BrowserFacts => {
  const browser = userAgent?.trim();
  return {
    ...(ipAddress !== null && isIP(ipAddress) !== 0 && { ip: ipAddress }),
    ...(browser && { userAgent: browser }),
  };
};
