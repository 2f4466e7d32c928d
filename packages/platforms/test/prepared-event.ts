import type { AttributedConversion } from '@leadback/domain';
import type { PlatformAccess, PlatformEvent } from '../src/index.ts';

/** The event of a conversion that is not skipped. */
export const preparedEvent = (access: PlatformAccess, conversion: AttributedConversion): PlatformEvent => {
  const prepared = access.prepare(conversion);
  if (prepared.kind !== 'event') throw new Error(`${prepared.kind}: ${prepared.reason}`);
  return prepared.event;
};
