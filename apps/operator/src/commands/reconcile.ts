import { rangeFromSchema, rangeToSchema, type ReconciliationMeasure, reconciliationMeasures } from '@leadback/domain';
import { type Contacts, openContacts, type Pool } from '@leadback/db';
import { allRows, type ReconciliationRecord } from '@leadback/intake';
import { z } from 'zod';
import { command, type Row } from '../command.ts';
import { findAccount, replayReconciliation } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { requireSetting } from '../require-setting.ts';
import { outcomeTable } from '../reconcile/outcome-table.ts';
import { storeList, workUntilDone } from '../reconcile/reconcile.ts';

const input = z
  .object({
    account: idSchema,
    test: z.boolean().default(false),
    file: z.string().optional(),
    from: rangeFromSchema.optional(),
    to: rangeToSchema.optional(),
    id: idSchema.optional(),
    replay: z.boolean().default(false),
    dryRun: z.boolean().default(false),
    outcome: z.enum(reconciliationMeasures, `expected ${reconciliationMeasures.join(', ')}`).optional(),
  })
  .transform(({ file, from, to, id, ...rest }, context) => {
    if (id !== undefined && file === undefined) return { ...rest, list: { id } };
    if (file !== undefined && id === undefined && from !== undefined && to !== undefined && from < to) {
      return { ...rest, list: { file, from, until: to } };
    }
    context.addIssue({
      code: 'custom',
      path: ['file'],
      message: 'give a file with --from and a later --to, or the --id of an earlier reconciliation',
    });
    return z.NEVER;
  });

const rowsWith = async (
  pool: Pool,
  mode: { readonly accountId: number; readonly isTest: boolean },
  id: number,
  outcome: ReconciliationMeasure,
  contacts: Contacts,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const page of allRows(pool, mode, { id, outcome }, contacts))
    rows.push(...page.map((row) => ({ ...row })));
  return rows;
};

const shownReplay = ({ replay }: ReconciliationRecord): Row => {
  if (!replay) return {};
  const { state, isDryRun, counts, tooOld, withoutTime } = replay;
  const failed = state === 'failed' ? { state } : {};
  return { replay: [{ ...failed, dryRun: isDryRun, ...counts, tooOld, withoutOccurredAt: withoutTime }] };
};

export const reconcile = command({
  name: 'reconcile',
  summary: "compare a partner's list of sales with the registered conversions, and register what is missing",
  options: [
    ['--account <id>', 'account of the conversions'],
    ['--test', 'compare with test conversions'],
    ['--file <path>', 'list in CSV, as for POST /reconciliation'],
    ['--from <day>', 'first day of the list (UTC), or a time'],
    ['--to <day>', 'last day of the list (UTC), or the time at which it ends'],
    ['--id <id>', 'an earlier reconciliation, instead of a file'],
    ['--replay', 'register what is missing and names a known client'],
    ['--dry-run', 'with --replay: try everything and keep nothing'],
    ['--outcome <outcome>', 'print the rows with this outcome, or `undelivered`, instead of the counts'],
  ],
  input,
  async run(
    { account, test: isTest, list, replay, dryRun: isDryRun, outcome },
    { em, pool, secretsKeys, actor, progress },
  ) {
    await findAccount(em, account);
    const contacts = openContacts(requireSetting('SECRETS_KEY', secretsKeys));
    const mode = { accountId: account, isTest };
    const id =
      'id' in list
        ? list.id
        : await storeList({ pool, contacts }, actor, {
            mode,
            path: list.file,
            range: { from: list.from, until: list.until },
          });
    const work = () => workUntilDone({ pool, contacts }, { mode, id, progress });
    let found = await work();
    if (replay) {
      await replayReconciliation(pool, actor, mode, { id, outcomes: ['missing'], isDryRun });
      found = await work();
    }
    if (outcome !== undefined) return rowsWith(pool, mode, id, outcome, contacts);
    const { state, rows, counts } = found;
    const failed = state === 'failed' ? { state } : {};
    return { id, ...failed, from: found.from, until: found.until, rows, counts, ...shownReplay(found) };
  },
  shown: (output) => {
    if (Array.isArray(output) || !('counts' in output)) return output;
    const { counts, ...rest } = output;
    return { ...rest, outcomes: outcomeTable(counts) };
  },
});
