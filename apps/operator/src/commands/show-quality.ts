import { qualityReader } from '@leadback/reports';
import { z } from 'zod';
import { command } from '../command.ts';
import { completeDayRange, dayRangeOptions, dayRangeShape } from '../day-range.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { type QualityRow, qualityTable } from '../quality-table.ts';

export const showQuality = command({
  name: 'quality',
  summary:
    'show by which keys platforms could match the conversions of an account, and what would help most; without test conversions',
  options: [['--account <id>', 'account of the conversions'], ...dayRangeOptions],
  columns: ['platform', 'conversions', 'delivered', 'skipped', 'failed', 'keys', 'advice'],
  input: z.object({ account: idSchema, ...dayRangeShape }),
  async run({ account: accountId, ...days }, { em, pool }): Promise<readonly QualityRow[]> {
    const range = completeDayRange(days);
    await findAccount(em, accountId);
    return qualityReader(pool)({ accountId, isTest: false }, range);
  },
  shown: qualityTable,
});
