import { createHash } from 'node:crypto';
import { type Queryable, statement } from '@leadback/db';
import { plainName } from '../csv/names.ts';
import { type FileChoices, fileChoicesSchema } from './reading.ts';
import type { ImportSubject } from './subject.ts';

/** Whose files, and of which shape: all with the same names of columns, in any order of letters and case. */
export interface FileShape {
  readonly accountId: number;
  readonly subject: ImportSubject;
  readonly names: readonly string[];
}

// a header may have personal data by mistake, so only its hash is kept
const keyOf = ({ accountId, subject, names }: FileShape) => [
  accountId,
  subject,
  createHash('sha256').update(names.map(plainName).join('\n')).digest(),
];

const find = statement<{ choices: unknown }>(
  'select choices from file_choice where account_id = $1 and subject = $2 and header = $3',
);

const keep = statement(
  `insert into file_choice as kept (account_id, subject, header, choices) values ($1, $2, $3, $4)
   on conflict (account_id, subject, header) do update set choices = excluded.choices, changed_at = now()
   where kept.choices is distinct from excluded.choices`,
);

/** What was chosen for files of this shape, if nothing is chosen for this one but its sheet. The sheets of the next file have other names. */
export const recallChoices = async (on: Queryable, shape: FileShape, given: FileChoices): Promise<FileChoices> => {
  const { sheet, ...others } = given;
  if (Object.keys(others).length > 0) return given;
  const [found] = await find(on, keyOf(shape));
  const recalled = found && fileChoicesSchema.safeParse(found.choices).data;
  return recalled ? { ...recalled, ...(sheet !== undefined && { sheet }) } : given;
};

/** Keeps what was chosen for files of this shape; if nothing was, returns what was chosen before. */
export const keepOrRecallChoices = async (
  on: Queryable,
  shape: FileShape,
  given: FileChoices,
): Promise<FileChoices> => {
  const { sheet: _, ...kept } = given;
  if (Object.keys(kept).length > 0) await keep(on, [...keyOf(shape), kept]);
  return recallChoices(on, shape, given);
};
