import { Refusal } from '@leadback/domain';
import { csvParts, endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { recordId } from '../record-id.ts';
import { outcomeParameter } from './read-rows.ts';

const example = `"conversionExternalReference","amount","currency","clientExternalReference","email","occurredAt","outcome","conversionId","registeredAmount","registeredCurrency","undelivered","message"
"order-8731","149.90","USD","customer-1042",,"2026-10-03T12:00:00.000Z","amountDiffers",31,"139.90","USD",,
"order-8732","80.00","USD",,"ana@example.com","2026-10-31T21:20:00.000Z","matched",32,"80.00","USD","meta google",
`;

export const readReconciliationFile = endpoint<ApiContext>()({
  method: 'get',
  path: '/reconciliation/:id/rows.csv',
  subject: 'Reconciliation',
  summary: 'Read the rows of a reconciliation as a file',
  description:
    'Returns the same rows as `GET /reconciliation/{id}/rows`, all at once. Texts are in quotes, and an apostrophe stands before each sign that a spreadsheet would read as the beginning of a formula. The file can be corrected and sent as a list: the columns of the result are ignored then.',
  input: z.object({ id: recordId, outcome: outcomeParameter }),
  headers: nothing,
  replies: { 200: { description: 'The rows.', mediaType: 'text/csv', body: csvParts, example } },
  refusals: ['not-found.reconciliation'],
  async handle({ input: { id, outcome }, response }, { reconciliation }) {
    const mode = modeOf(response);
    if (!(await reconciliation.read(mode, id))) throw new Refusal('not-found.reconciliation');
    const name = ['reconciliation', id, ...(outcome === undefined ? [] : [outcome])].join('-');
    const headers = { 'Content-Disposition': `attachment; filename="${name}.csv"` };
    return { status: 200, headers, body: reconciliation.rowsFile(mode, { id, outcome }) };
  },
});
