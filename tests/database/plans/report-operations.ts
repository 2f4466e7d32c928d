import type { Account } from '@leadback/db';
import { feedbackStates, type PlatformName } from '@leadback/domain';
import { type ConversionFilter, conversionLister } from '@leadback/reports';
import type { Operation } from './operation.ts';

const platforms = [undefined, 'meta', 'tiktok'] satisfies (PlatformName | undefined)[];
const states = [undefined, ...feedbackStates];
const ranges = [{}, { from: '2020-01-01T00:00:00Z', until: '2021-01-01T00:00:00Z' }];

const filters = platforms.flatMap((platform) =>
  states.flatMap((state) => ranges.map((range): ConversionFilter => ({ platform, state, ...range, limit: 200 }))),
);

/** What partners read about all their sales. */
export const reportOperations = (account: Account): readonly Operation[] => {
  const mode = { accountId: account.id, isTest: false };

  return [
    {
      name: 'list conversions',
      // of twenty connections: 201 of each
      rowsMax: 21_000,
      pagesMax: 30_000,
      async run({ pool }) {
        const list = conversionLister(pool);
        for (const filter of filters) {
          const { next } = await list(mode, filter);
          await list(mode, { ...filter, after: next });
          await list({ ...mode, isTest: true }, filter);
        }
      },
    },
  ];
};
