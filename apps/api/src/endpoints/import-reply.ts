import { platformNames } from '@leadback/domain';
import type { ImportRecord } from '@leadback/intake';
import { z } from 'zod';

const time = z.iso.datetime();

export const importSubject = z.enum(['client', 'conversion'], 'expected client or conversion');

export const importState = z.enum(['pending', 'running', 'done', 'refused', 'failed']).meta({
  description:
    '`pending`: stored, not begun. `running`: rows are being registered. `done`: every row has an outcome. `refused`: the file cannot be read, see `message`; nothing of it was registered. `failed`: the next rows failed again and again; rows with an outcome keep it, send the result file again for the others.',
});

export const importBody = z
  .object({
    id: z.int(),
    of: importSubject,
    dryRun: z.boolean(),
    state: importState,
    rows: z.int().meta({ description: 'Rows of the file, without the header.' }),
    done: z.int().meta({ description: 'Rows that have an outcome.' }),
    counts: z.record(z.string(), z.int()).meta({
      description:
        'Rows by outcome: `created`, `existing` or `refused` for clients; `created`, `repeated`, `differs` or `refused` for conversions. The result file has the outcome of each row.',
    }),
    tooOld: z.partialRecord(z.enum(platformNames), z.int()).optional().meta({
      description:
        'Of a dry run of conversions: how many of the created ones each platform of your account skips because they occurred too long ago. The result file says which.',
    }),
    emailReferences: z.int().meta({
      description:
        'Rows so far with a reference that is an email. More people see references than emails: send an id of yours instead.',
    }),
    message: z.string().optional().meta({ description: 'Why the file was refused, with the line, or has failed.' }),
    createdAt: time,
    finishedAt: time
      .nullable()
      .meta({ description: 'When every row had an outcome, or nothing of a refused file was left.' }),
  })
  .meta({ id: 'Import' });

const none = {
  client: { created: 0, existing: 0, refused: 0 },
  conversion: { created: 0, repeated: 0, differs: 0, refused: 0 },
} as const;

/** A file that is still arriving is not begun either. */
const stateOf = ({ state }: ImportRecord) => (state === 'uploading' ? 'pending' : state);

export const importView = (found: ImportRecord): z.infer<typeof importBody> => ({
  id: found.id,
  of: found.of,
  dryRun: found.isDryRun,
  state: stateOf(found),
  rows: found.rows,
  done: found.done,
  counts: { ...none[found.of], ...found.counts },
  ...(found.isDryRun && found.of === 'conversion' && { tooOld: found.tooOld }),
  emailReferences: found.emailReferences,
  ...(found.message !== null && { message: found.message }),
  createdAt: found.createdAt.toISOString(),
  finishedAt: found.finishedAt?.toISOString() ?? null,
});
