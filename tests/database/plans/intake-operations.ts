import type { Account } from '@leadback/db';
import {
  apiKeyFinder,
  clientRegistrar,
  conversionRegistrar,
  deleteExpiredResponses,
  leadRecorder,
} from '@leadback/intake';
import { clientReader, conversionReader, metricsRoller } from '@leadback/reports';
import { issueLeadReference, leadReferenceKeys } from '@leadback/secrets';
import { bufferedLead, secretsKeys, unique } from '@leadback/test-fixtures';
import type { Operation } from './operation.ts';

const together = 20;

/** Everything that partners and visitors do, and the roll-up of the metrics that follow. */
export const intakeOperations = (account: Account, page: number): readonly Operation[] => {
  const mode = { accountId: account.id, isTest: false };
  const keys = leadReferenceKeys(secretsKeys);

  return [
    {
      name: 'register leads, clients and conversions',
      rowsMax: 1_000,
      async run({ pool }) {
        const record = leadRecorder(pool);
        const registerClient = clientRegistrar(pool, keys);
        const registerConversion = conversionRegistrar(pool, { announce: () => {} });
        const references = Array.from({ length: together }, () => issueLeadReference(keys));
        await Promise.all(
          references.map((reference) =>
            record(bufferedLead({ accountId: account.id, landingPageId: page, reference })),
          ),
        );
        const clients = references.map((leadReference) => ({
          leadReference,
          externalReference: leadReference,
          email: `${leadReference}@x.example`,
        }));
        const register = () =>
          Promise.all(clients.map((client) => registerClient(mode, client, client.externalReference)));
        await register();
        await register();
        const sale = { amount: '10', currency: 'USD' } as const;
        const sales = clients.flatMap(({ externalReference, email }) => [
          { ...sale, clientExternalReference: externalReference, conversionExternalReference: unique('order') },
          { ...sale, email, eventId: unique('event') },
        ]);
        await Promise.all(sales.map((one) => registerConversion(mode, one, unique('key'))));
        await Promise.allSettled(sales.map((one) => registerConversion(mode, one)));
        const { id } = await registerConversion(mode, {
          ...sale,
          clientExternalReference: references[0] ?? '',
          conversionExternalReference: unique('order'),
        });
        await conversionReader(pool)(mode, { id });
        await conversionReader(pool)(mode, { externalReference: 'filler order 2' });
      },
    },
    {
      name: 'find an API key, read a client, delete expired responses',
      rowsMax: 200,
      async run({ pool }) {
        await apiKeyFinder(pool)('00');
        await clientReader(pool)(mode, 1);
        await deleteExpiredResponses(pool, 100);
      },
    },
    {
      name: 'roll up metrics',
      rowsMax: 2_000,
      run: ({ pool }) => metricsRoller()(pool, 500),
    },
  ];
};
