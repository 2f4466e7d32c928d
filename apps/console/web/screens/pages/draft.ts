import type { pageTextsMax } from '@leadback/domain';
import type { DraftField, PageDraft } from '../../../src/contract/pages.ts';

/** The most characters; the type says that they are those of the server. */
export const textsMax: typeof pageTextsMax = { title: 200, text: 3000, buttonLabel: 200, consentText: 1000, alt: 200 };

/** All fields, in the order of the form. */
const order: Readonly<Record<DraftField, number>> = {
  mode: 0,
  targetUrl: 1,
  title: 2,
  text: 3,
  buttonLabel: 4,
  language: 5,
  logo: 6,
  hero: 7,
  accentColor: 8,
  askedFields: 9,
  consentText: 10,
  consentScope: 11,
  privacyUrl: 12,
};
const isField = (name: string): name is DraftField => Object.hasOwn(order, name);
const fields: readonly DraftField[] = Object.keys(order).filter(isField);

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const changedFields = (before: PageDraft, after: PageDraft): readonly DraftField[] =>
  fields.filter((field) => !isSame(before[field], after[field]));

/** `draft` with these fields of another one. */
export const withFieldsOf = (draft: PageDraft, other: PageDraft, taken: readonly DraftField[]): PageDraft => {
  const values = new Map<string, unknown>(Object.entries(other));
  return { ...draft, ...Object.fromEntries(taken.map((field) => [field, values.get(field)])) };
};
