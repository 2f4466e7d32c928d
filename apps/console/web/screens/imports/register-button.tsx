import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ImportItem } from '../../../src/contract/imports.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { registerImport } from './queries.ts';
import { importsTexts } from './texts.ts';

/** Registers what the dry run counted; the button says it. */
export const RegisterButton = ({ item: { id, counts, money } }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const navigate = useNavigate();
  const register = useMutation({
    mutationFn: () => registerImport(api, account, id),
    onSuccess: async (begun) => {
      showToast(texts.started);
      await navigate({ to: '/a/$account/imports/$import', params: { account, import: String(begun.id) } });
      for (const key of ['imports', 'import']) void client.invalidateQueries({ queryKey: [key, account] });
    },
  });
  const written = money.map(({ currency, amount }) => format.money(amount, currency));
  return (
    <>
      <Button look="primary" icon="check" isBusy={register.isPending} onClick={() => register.mutate()}>
        {texts.register([format.count(counts.created), ...written].join(' · '))}
      </Button>
      {register.error && <Failure error={register.error} />}
    </>
  );
};
