import type { AttributedConversion } from '@leadback/domain';
import type { PlatformAccess, PlatformEvent } from '../src/index.ts';
import { now } from './given-conversion.ts';

/** The event of a conversion that is neither skipped nor early. */
export const preparedEvent = (access: PlatformAccess, conversion: AttributedConversion): PlatformEvent => {
  const prepared = access.prepare(conversion, now);
  if (prepared.kind !== 'event') throw new Error(JSON.stringify(prepared));
  return prepared.event;
};
