import { type ConversionName, type ConversionRecord, type Database, readConversion as read } from '@leadback/db';
import { type AccountId, DomainError } from '@leadback/domain';

export type { ConversionRecord };

export type ReadConversion = (accountId: AccountId, name: ConversionName) => Promise<ConversionRecord>;

/** Gives a conversion of the account and how its feedback stands. Throws `conversion-unknown`. */
export const readConversion =
  (pool: Database['pool']): ReadConversion =>
  async (accountId, name) => {
    const conversion = await read(pool, accountId, name);
    if (conversion) return conversion;
    throw new DomainError(
      'conversion-unknown',
      'id' in name
        ? 'id: no conversion of this account has this id'
        : 'externalReference: no conversion of this account has this reference',
    );
  };
