import type { Delivery } from '../../../src/contract/deliveries.ts';
import { type PlatformName, platformTitles } from '../../parts/platform.tsx';
import { idOf, oneOf, textOf } from '../../search-parameters.ts';

export const deliveryStates = [
  'pending',
  'delivered',
  'failed',
  'skipped',
] as const satisfies readonly Delivery['state'][];

export const isPlatform = (text: unknown): text is PlatformName =>
  typeof text === 'string' && Object.hasOwn(platformTitles, text);

export interface DeliveriesSearch {
  readonly platform?: PlatformName | undefined;
  readonly connection?: number | undefined;
  readonly state?: Delivery['state'] | undefined;
  /** Only with failed or skipped. */
  readonly code?: string | undefined;
  readonly conversion?: number | undefined;
  readonly test?: 'true' | undefined;
}

export const parseDeliveriesSearch = (search: Readonly<Record<string, unknown>>): DeliveriesSearch => {
  const state = oneOf(deliveryStates, search.state);
  const hasReason = state === 'failed' || state === 'skipped';
  return {
    platform: isPlatform(search.platform) ? search.platform : undefined,
    connection: idOf(search.connection),
    state,
    code: hasReason ? textOf(search.code) : undefined,
    conversion: idOf(search.conversion),
    test: oneOf(['true'], search.test),
  };
};
