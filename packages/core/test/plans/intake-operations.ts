import { type Account, PlatformConnection } from '@leadback/db';
import { apiKeyFinder } from '@leadback/core/api-keys/find-api-key';
import { bufferedLeadRecorder, leadRecorder } from '@leadback/core/leads/record';
import { clientBatchRegistrar, conversionBatchRegistrar } from '@leadback/core/batches';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { readConversion } from '@leadback/core/conversions/read';
import { metricsRoller } from '@leadback/core/metrics/metrics';
import { qualityRoller } from '@leadback/core/quality/quality';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, bufferedLead, secretsKeys, unique } from '@leadback/testing';
import type { Operation } from '../plans.ts';

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
        const record = leadRecorder(pool, givenContacts());
        const registerClient = clientRegistrar(pool, {
          contacts: givenContacts(),
          referenceKeys: keys,
          announce: () => {},
        });
        const registerConversion = conversionRegistrar(pool, { contacts: givenContacts(), announce: () => {} });
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
        await readConversion(pool, mode, { id });
        await readConversion(pool, mode, { externalReference: 'filler order 2' });
        const adjust = conversionAdjuster(pool, { announce: () => {} });
        const orders = sales.flatMap((one) =>
          'conversionExternalReference' in one ? [one.conversionExternalReference] : [],
        );
        const restate = (conversionExternalReference: string) => {
          const named = {
            conversionExternalReference,
            adjustmentExternalReference: `${conversionExternalReference} less`,
          };
          return adjust(mode, { ...named, kind: 'restate', amount: '5' }, unique('key'));
        };
        await Promise.all(orders.map(restate));
        await Promise.allSettled(orders.map(restate));
        await adjust(mode, { conversionId: id, kind: 'retract' });
        await readConversion(pool, mode, { id });
      },
    },
    {
      name: 'record leads that were buffered',
      rowsMax: 200,
      async run({ pool }) {
        const record = bufferedLeadRecorder(pool, givenContacts());
        const leads = Array.from({ length: together }, () =>
          bufferedLead({
            accountId: account.id,
            landingPageId: page,
            reference: issueLeadReference(keys),
            email: unique('erased@x.example'),
          }),
        );
        await Promise.all(leads.map(record));
      },
    },
    {
      name: 'register batches of clients and conversions, again, and with differences',
      rowsMax: 5_000,
      async run({ pool }) {
        const record = leadRecorder(pool, givenContacts());
        const reference = issueLeadReference(keys);
        await record(bufferedLead({ accountId: account.id, landingPageId: page, reference }));
        const clients = Array.from({ length: together }, () => {
          const externalReference = unique('client');
          return { leadReference: reference, externalReference, email: `${externalReference}@x.example` };
        });
        const sale = { amount: 10, currency: 'USD' };
        const sales = clients.map(({ externalReference, email }, index) => ({
          ...sale,
          ...(index % 2 ? { email } : { clientExternalReference: externalReference }),
          conversionExternalReference: unique('order'),
        }));
        const options = { contacts: givenContacts(), announce() {}, onRefused() {} };
        const registerClients = clientBatchRegistrar(pool, { referenceKeys: keys, ...options });
        const registerConversions = conversionBatchRegistrar(pool, options);
        for (const isDryRun of [true, false, false]) {
          await registerClients(mode, clients, { isDryRun }, unique('key'));
          await registerConversions(mode, sales, { isDryRun });
        }
        await registerConversions(
          mode,
          sales.map((one) => ({ ...one, amount: 11 })),
          { isDryRun: false },
        );
      },
    },
    {
      name: 'register clients whose leads are told',
      rowsMax: 1_000,
      async run(on) {
        const reference = issueLeadReference(keys);
        await leadRecorder(
          on.pool,
          givenContacts(),
        )(bufferedLead({ accountId: account.id, landingPageId: page, reference }));
        const { id } = await on
          .em()
          .findOneOrFail(PlatformConnection, { account: account.id }, { orderBy: { id: 'asc' } });
        const tell = (...eventKinds: PlatformConnection['eventKinds']) =>
          on.em().nativeUpdate(PlatformConnection, { id, account: account.id }, { eventKinds });
        await tell('conversion', 'lead');
        const register = clientRegistrar(on.pool, {
          contacts: givenContacts(),
          referenceKeys: keys,
          announce: () => {},
        });
        await Promise.all(
          Array.from({ length: together }, () =>
            register(mode, { leadReference: reference, externalReference: unique('client') }, unique('key')),
          ),
        );
        await tell('conversion');
      },
    },
    {
      name: 'find an API key',
      rowsMax: 200,
      run: ({ pool }) => apiKeyFinder(pool)('00'),
    },
    {
      name: 'roll up metrics and quality',
      rowsMax: 2_000,
      async run({ pool }) {
        await metricsRoller()(pool, 500);
        await qualityRoller()(pool, 500);
      },
    },
  ];
};
