import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/use-api.ts';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { switchPage } from './queries.ts';
import { pagesTexts } from './texts.ts';

interface Switched {
  readonly id: number;
  readonly slug: string;
  readonly isOn: boolean;
}

/** Switches a page on or off, and offers to undo it. */
export const useSwitch = () => {
  const texts = useTexts(pagesTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const mutation = useMutation({
    mutationFn: ({ id, isOn }: Switched) => switchPage(api, account, id, isOn),
    onSuccess: async (_, page) => {
      const undo = { label: texts.undo, run: () => mutation.mutate({ ...page, isOn: !page.isOn }) };
      showToast(page.isOn ? texts.switchedOn(page.slug) : texts.switchedOff(page.slug), undo);
      await Promise.all(['pages', 'page'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
  return mutation;
};
