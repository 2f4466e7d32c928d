import type { Receipt } from '../../../src/contract/erasures.ts';
import type { ErasureTexts } from './texts/en.ts';

/** A receipt to hand out: it has no personal data of the person who was erased. */
export const receiptText = (receipt: Receipt, account: string, texts: ErasureTexts): string => {
  const { id, at, actor, clients, leads, importedRows, conversions, pendingFeedback } = receipt;
  const { file } = texts;
  const lines = [
    `Leadback · ${file.title}`,
    '',
    texts.receipt(id),
    `${file.account}: ${account}`,
    `${file.at}: ${at}`,
    `${file.actor}: ${actor}`,
    '',
    `${file.erased}:`,
    `- ${texts.clients}: ${clients}`,
    `- ${texts.leads}: ${leads}`,
    `- ${texts.importedRows}: ${importedRows}`,
    '',
    `${file.kept}:`,
    `- ${texts.conversions}: ${conversions}`,
    `- ${texts.pendingFeedback}: ${pendingFeedback}`,
    '',
    texts.elsewhere,
  ];
  return lines.map((line) => `${line}\r\n`).join('');
};
