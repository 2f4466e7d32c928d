import { type ConversionName, type ConversionRecord, readConversion as read } from '@leadback/reports';
import type { Database } from '@leadback/db';
import { type AccountMode, Refusal } from '@leadback/domain';

export type { ConversionRecord };

export type ReadConversion = (mode: AccountMode, name: ConversionName) => Promise<ConversionRecord>;

/** Throws `conversion-unknown`. */
export const readConversion =
  (pool: Database['pool']): ReadConversion =>
  async (mode, name) => {
    const conversion = await read(pool, mode, name);
    if (conversion) return conversion;
    throw new Refusal('id' in name ? 'conversion-unknown' : 'conversion-unknown.reference');
  };
