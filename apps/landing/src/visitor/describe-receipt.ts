import type { Language } from '@leadback/domain';
import { receiptSchema } from '@leadback/erasure/ask';
import { brandOf, type Fact, timeIn, visitorTexts } from '@leadback/landing-page/visitor';
import type { ShownErasure } from './receipts.ts';

// the JSON of another version is shown as it is
const parsed = (receipt: string) => {
  try {
    return receiptSchema.safeParse(JSON.parse(receipt)).data;
  } catch {
    return undefined;
  }
};

const erasedThings = ['clients', 'leads', 'importedRows', 'listedRows'] as const;

/** What the signed text says, in the language of the reader. */
const contentOf = (receipt: string, language: Language): Fact[] => {
  const content = parsed(receipt);
  if (!content) return [];
  const { labels, things, toldOn, nothing } = visitorTexts[language].receipt;
  const number = (count: number) => new Intl.NumberFormat(language).format(count);
  const erased = erasedThings.flatMap((thing) => {
    const count = content.erased[thing];
    return count > 0 ? [`${things[thing]}: ${number(count)}`] : [];
  });
  const facts = [
    { label: labels.erased, values: erased },
    {
      label: labels.kept,
      values: content.kept.map(({ what, count }) => {
        const thing = things[what === 'leads' ? 'keptLeads' : what === 'clients' ? 'keptClients' : what];
        return count === undefined ? thing : `${thing}: ${number(count)}`;
      }),
    },
    {
      label: labels.told,
      values: content.platformsTold.map(({ platform, events, lastAt }) =>
        toldOn(brandOf(platform), number(events), timeIn(language, new Date(lastAt))),
      ),
    },
    { label: labels.skipped, values: [number(content.pendingSkipped)] },
    {
      label: labels.notReached,
      values: content.notReached.map(({ what, until }) => things[what] + (until === undefined ? '' : ` (→ ${until})`)),
    },
  ];
  return facts.map(({ label, values }) => ({ label, values: values.length > 0 ? values : [nothing] }));
};

/** What the page of a receipt shows. */
export const describeReceipt = (
  erasure: ShownErasure,
  language: Language,
): { readonly state: string; readonly facts: readonly Fact[] } => {
  const texts = visitorTexts[language].receipt;
  const { labels } = texts;
  const { id, state, askedBy, requestedAt, finishedAt, receipt, keyId, signature, isSigned } = erasure;
  const facts = [
    { label: labels.id, values: [id] },
    { label: labels.askedBy, values: [texts.askers[askedBy]] },
    { label: labels.requested, values: [timeIn(language, requestedAt)] },
    ...(finishedAt ? [{ label: labels.finished, values: [timeIn(language, finishedAt)] }] : []),
    ...(receipt === null ? [] : contentOf(receipt, language)),
    ...(keyId === null ? [] : [{ label: labels.key, values: [keyId] }]),
    ...(signature === null ? [] : [{ label: labels.signature, values: [signature] }]),
  ];
  const verdict = isSigned ? texts.isSigned : texts.isNotSigned;
  return { facts, state: isSigned === null ? texts.states[state] : `${texts.states[state]} ${verdict}` };
};
