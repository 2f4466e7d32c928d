import { givenContacts } from '@leadback/testing';
import type { Account } from '@leadback/db';
import { deliveryStates, type PlatformName } from '@leadback/domain';
import { type ConversionFilter, conversionLister } from '@leadback/core/conversions/read';
import { matchFactsReader, qualityReader, qualityRoller } from '@leadback/core/quality/quality';
import type { Operation } from './operation.ts';

const platforms = [undefined, 'meta', 'tiktok'] satisfies (PlatformName | undefined)[];
const states = [undefined, ...deliveryStates];
const ranges = [{}, { from: '2020-01-01T00:00:00.000000Z', until: '2021-01-01T00:00:00.000000Z' }];

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
    {
      name: 'read what a client can be matched by',
      rowsMax: 20,
      async run({ pool }) {
        const read = matchFactsReader(pool, givenContacts());
        await read(mode, { clientId: 1_010 });
        await read(mode, { conversionId: 1_005 });
      },
    },
    {
      name: 'read and roll up quality',
      // of one day
      rowsMax: 2_000,
      async run({ pool }) {
        await qualityReader(pool)(mode, { from: '2020-01-01', to: '2020-01-31' });
        await qualityRoller()(pool, 500);
      },
    },
  ];
};
