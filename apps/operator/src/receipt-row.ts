import { type Receipt, receiptSchema } from '@leadback/erasure/ask';
import type { Row } from './command.ts';

/** The content of a receipt. */
export const parseReceipt = (text: string): Receipt => receiptSchema.parse(JSON.parse(text));

/** What a table shows of a receipt. */
export const receiptRow = ({ erased, kept, platformsTold, pendingSkipped, notReached, ...receipt }: Receipt): Row => ({
  askedBy: receipt.askedBy,
  requestedAt: receipt.requestedAt,
  finishedAt: receipt.finishedAt,
  ...erased,
  pendingSkipped,
  kept: kept.map(({ what, count = '', why }) => ({ what, count, why })),
  platformsTold,
  notReached: notReached.map(({ what, until = '', why }) => ({ what, until, why })),
});
