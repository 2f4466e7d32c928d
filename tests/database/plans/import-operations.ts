import type { LandingPage } from '@leadback/db';
import { cleanUpImports, imports, type NewImport } from '@leadback/core/imports/store';
import { findAnyImport, listImports, readToldRows, toldOutcomes } from '@leadback/core/imports/read';
import { importWorker, itemRegistrars } from '@leadback/core/imports/work';
import { leadRecorder } from '@leadback/core/leads/record';
import { registerTrial } from '@leadback/core/imports/trial';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, bufferedLead, secretsKeys, unique } from '@leadback/testing';
import type { Operation } from './operation.ts';

const rowsPerFile = 250;

async function* cutOff() {
  yield Buffer.from('leadReference\nx\n');
  throw new Error('cut off');
}

/** Files from their upload to their result, of an account without connections: they leave no deliveries. */
export const importOperations = ({ id: page, account }: LandingPage): readonly Operation[] => {
  const { id: accountId } = account;
  const keys = leadReferenceKeys(secretsKeys);
  return [
    {
      name: 'import files of clients and conversions, again, and as a dry run that is registered',
      rowsMax: 3_000,
      async run({ pool }) {
        const files = imports(pool);
        const reference = issueLeadReference(keys);
        await leadRecorder(pool, givenContacts())(bufferedLead({ accountId, landingPageId: page, reference }));
        const names = Array.from({ length: rowsPerFile }, () => unique('client'));
        const clients = names.map((name, index) => `${reference},${index % 2 ? name : ''}\n`);
        const sales = names.map((name, index) => `${name},${names[index | 1] ?? ''},10,USD\n`);
        const texts = [
          { subject: 'client', text: `leadReference,externalReference\n${clients.join('')}` },
          {
            subject: 'conversion',
            text: `conversionExternalReference,clientExternalReference,amount,currency\n${sales.join('')}`,
          },
        ] as const;
        const upload = async (about: Pick<NewImport, 'subject' | 'isDryRun'>, text: string) => {
          const mode = { accountId, isTest: false };
          const { id } = await files.store({ ...mode, ...about }, new Blob([text]).stream());
          const next = importWorker(pool, itemRegistrars(keys, givenContacts()));
          while (await next());
          const found = await files.find(mode, id);
          let result = '';
          if (found) for await (const part of files.result(found)) result += part;
          await findAnyImport(pool, id);
          return result;
        };
        const registered = async () => {
          const [trial] = await listImports(pool, accountId, { limit: 1 });
          if (trial?.isDryRun !== true) throw new Error('the dry run is missing');
          for (const outcome of toldOutcomes) {
            for (const after of [0, 100]) await readToldRows(pool, trial, { outcome, after, limit: 50 });
            for await (const part of files.result(trial, outcome)) await Promise.resolve(part);
          }
          const order = { id: trial.id, createdBy: 'ana@example.com', onBegun: () => Promise.resolve() };
          await registerTrial(pool, { accountId, isTest: false }, order);
          await registerTrial(pool, { accountId, isTest: false }, order);
          const next = importWorker(pool, itemRegistrars(keys, givenContacts()));
          while (await next());
        };
        for (const { subject, text } of texts) {
          await upload({ subject, isDryRun: true }, text);
          await registered();
          await upload({ subject, isDryRun: false }, text);
          await upload({ subject, isDryRun: false }, await upload({ subject, isDryRun: false }, text));
        }
        await files.store({ accountId, isTest: false, subject: 'client', isDryRun: false }, cutOff()).catch(() => {});
        await cleanUpImports(pool);
        await listImports(pool, accountId, { limit: 50, before: 1_000_000 });
      },
    },
  ];
};
