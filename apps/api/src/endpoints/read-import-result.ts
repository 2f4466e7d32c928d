import { Refusal } from '@leadback/domain';
import { csvParts, endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { recordId } from './record-id.ts';

const example = `"conversionExternalReference","clientExternalReference","amount","currency","outcome","id","message"
"order-8731","customer-1042","149.90","USD","created",31,
"order-8732","customer-1043","80.00","USD","refused",,"no client matches clientExternalReference or email"
`;

export const readImportResult = endpoint<ApiContext>()({
  method: 'get',
  path: '/import/:id/result.csv',
  subject: 'Imports',
  summary: 'Read the outcome of each row of an import',
  description:
    'Returns the rows as sent, each with its outcome so far, the id of the client or conversion, and the reason if it was refused. Texts are in quotes, and an apostrophe stands before each sign that a spreadsheet would read as the beginning of a formula. The file can be corrected and sent again: of these three columns, only the outcome and id of clients are read then.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: { 200: { description: 'The rows.', mediaType: 'text/csv', body: csvParts, example } },
  refusals: ['not-found.import'],
  async handle({ input, response }, { imports }) {
    const found = await imports.find(modeOf(response), input.id);
    if (!found) throw new Refusal('not-found.import');
    const headers = { 'Content-Disposition': `attachment; filename="import-${found.id}-result.csv"` };
    return { status: 200, headers, body: imports.result(found) };
  },
});
