import type { LandingPage } from '@leadback/db';
import {
  cleanUpImports,
  findAnyImport,
  imports,
  importWorker,
  itemRegistrars,
  leadRecorder,
  listImports,
  type NewImport,
} from '@leadback/intake';
import { issueLeadReference, leadReferenceKeys } from '@leadback/secrets';
import { bufferedLead, secretsKeys, unique } from '@leadback/test-fixtures';
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
      name: 'import files of clients and conversions, again, and as a dry run',
      rowsMax: 3_000,
      async run({ pool }) {
        const files = imports(pool);
        const reference = issueLeadReference(keys);
        await leadRecorder(pool)(bufferedLead({ accountId, landingPageId: page, reference }));
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
          const next = importWorker(pool, itemRegistrars(keys));
          while (await next());
          const found = await files.find(mode, id);
          let result = '';
          if (found) for await (const part of files.result(found)) result += part;
          await findAnyImport(pool, id);
          return result;
        };
        for (const { subject, text } of texts) {
          for (const isDryRun of [true, false]) await upload({ subject, isDryRun }, text);
          await upload({ subject, isDryRun: false }, await upload({ subject, isDryRun: false }, text));
        }
        await files.store({ accountId, isTest: false, subject: 'client', isDryRun: false }, cutOff()).catch(() => {});
        await cleanUpImports(pool);
        await listImports(pool, accountId, 100);
      },
    },
  ];
};
