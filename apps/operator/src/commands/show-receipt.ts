import { pageUrl } from '@leadback/administration';
import { readErasure } from '@leadback/erasure/ask';
import { z } from 'zod';
import { command } from '../command.ts';
import { OperatorError } from '../operator-error.ts';
import { parseReceipt, receiptRow } from '../receipt-row.ts';

export const showReceipt = command({
  name: 'receipt show',
  summary: 'show an erasure and its receipt; `--json` prints what `receipt verify` reads',
  argument: '<id>',
  input: z.object({ id: z.string() }),
  async run({ id }, { pool, landingUrl }) {
    const erasure = await readErasure(pool, id);
    if (!erasure) throw new OperatorError(`there is no erasure ${id}; \`client erase\` and the API return its id`);
    return { ...erasure, url: pageUrl(landingUrl, `data/receipt/${id}`) };
  },
  shown: ({ receipt, signature, keyId, ...erasure }) => ({
    ...erasure,
    ...(receipt !== null && { ...receiptRow(parseReceipt(receipt)), signature, keyId }),
  }),
});
