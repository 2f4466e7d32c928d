import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { importBody, importView } from './import-reply.ts';
import { recordId } from './record-id.ts';

export const readImport = endpoint<ApiContext>()({
  method: 'get',
  path: '/import/:id',
  subject: 'Imports',
  summary: 'Read the progress of an import',
  description: 'Returns how far an import is, and its rows by outcome so far.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The import.',
      body: importBody,
      example: {
        id: 3,
        of: 'conversion',
        dryRun: false,
        state: 'done',
        rows: 2,
        done: 2,
        counts: { created: 1, repeated: 1, differs: 0, refused: 0 },
        emailReferences: 0,
        createdAt: '2026-11-21T12:00:00.000Z',
        finishedAt: '2026-11-21T12:00:01.000Z',
      },
    },
  },
  refusals: ['not-found.import'],
  async handle({ input, response }, { imports }) {
    const found = await imports.find(modeOf(response), input.id);
    if (!found) throw new Refusal('not-found.import');
    return { status: 200, body: importView(found) };
  },
});
