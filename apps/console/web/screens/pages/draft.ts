import type { pageTextsMax } from '@leadback/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChangePageReply, DraftField, Page, PageDraft, PageProblem } from '../../../src/contract/pages.ts';
import { useApi } from '../../api.ts';
import { showToast } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { changePage, checkQuery, pageQuery } from './queries.ts';
import { pagesTexts } from './texts.ts';

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
  passedParameters: 13,
};
const isField = (name: string): name is DraftField => Object.hasOwn(order, name);
const fields: readonly DraftField[] = Object.keys(order).filter(isField);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const changedFields = (before: PageDraft, after: PageDraft): readonly DraftField[] =>
  fields.filter((field) => !isSame(before[field], after[field]));

/** `draft` with these fields of another one. */
export const withFieldsOf = (draft: PageDraft, other: PageDraft, taken: readonly DraftField[]): PageDraft => {
  const values = new Map<string, unknown>(Object.entries(other));
  return { ...draft, ...Object.fromEntries(taken.map((field) => [field, values.get(field)])) };
};

/** The value once it has not changed for so long. */
const useSettled = <Value>(value: Value, ms: number): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};

type Conflict = Extract<ChangePageReply, { outcome: 'changed-meanwhile' }>;

const settleMs = 350;
const noProblems: readonly PageProblem[] = [];

/** A draft of a page: what was typed, what of it cannot be saved, and saving it over nobody else's change. */
export const useEditor = (latest: Page) => {
  const texts = useTexts(pagesTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const [base, setBase] = useState(latest);
  const [draft, setDraft] = useState(latest.draft);
  const [conflict, setConflict] = useState<Conflict>();
  const isDirty = !isSame(draft, base.draft);
  // the page was loaded again, and nothing that was typed depends on what it was before
  if (!isDirty && latest.version !== base.version && latest.changedAt > base.changedAt) {
    setBase(latest);
    setDraft(latest.draft);
  }
  const settled = useSettled(draft, settleMs);
  const check = useQuery(checkQuery(api, account, settled));
  const save = useMutation({
    mutationFn: (change: { readonly draft: PageDraft; readonly version: string }) =>
      changePage(api, account, base.id, change),
    onSuccess: async (reply, sent) => {
      setConflict(reply.outcome === 'changed-meanwhile' ? reply : undefined);
      if (reply.outcome !== 'saved') return;
      showToast(reply.page.isOn ? texts.saved : texts.savedDraft);
      setBase(reply.page);
      // what was typed since stays
      setDraft((now) => (isSame(now, sent.draft) ? reply.page.draft : now));
      client.setQueryData(pageQuery(api, account, String(base.id)).queryKey, reply.page);
      await client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
  return {
    base,
    draft,
    settled,
    check,
    problems: check.data?.problems ?? noProblems,
    isDirty,
    save,
    conflict,
    set: <Field extends DraftField>(field: Field, value: PageDraft[Field]) =>
      setDraft((before) => ({ ...before, [field]: value })),
    discard: () => setDraft(base.draft),
    saveDraft: () => save.mutate({ draft, version: base.version }),
    /** Saves what was chosen from this draft and from the page as others have changed it. */
    resolve: (chosen: PageDraft, { page }: Conflict) => {
      setBase(page);
      setDraft(chosen);
      setConflict(undefined);
      save.mutate({ draft: chosen, version: page.version });
    },
    giveUp: () => setConflict(undefined),
  };
};

export type EditorState = ReturnType<typeof useEditor>;
