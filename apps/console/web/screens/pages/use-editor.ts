import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangePageReply, DraftField, Page, PageDraft, PageProblem } from '../../../src/contract/pages.ts';
import { useApi } from '../../api/use-api.ts';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { isSame } from './draft.ts';
import { changePage, checkQuery, pageQuery } from './queries.ts';
import { pagesTexts } from './texts.ts';
import { useSettled } from './use-settled.ts';

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
      showToast(texts.saved);
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
