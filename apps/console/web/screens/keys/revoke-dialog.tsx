import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../../../src/contract/keys.ts';
import { useApi } from '../../api/use-api.ts';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { keysQuery, revokeKey } from './queries.ts';
import { keysTexts } from './texts.ts';

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export const RevokeDialog = ({ apiKey: { id, name, lastUsedAt }, onClose }: RevokeDialogProps) => {
  const texts = useTexts(keysTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const revoke = useMutation({
    mutationFn: () => revokeKey(api, account, id),
    onSuccess: () => {
      showToast(texts.revoked(name));
      onClose();
      return client.invalidateQueries({ queryKey: keysQuery(api, account).queryKey });
    },
  });
  return (
    <TypedConfirmation
      title={texts.revokeTitle(name)}
      name={name}
      action={texts.confirmRevoke}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{texts.revokeText}</p>
      <p>
        {lastUsedAt === null ? (
          texts.neverUsed
        ) : (
          <strong>
            {texts.lastUsed} <Time at={lastUsedAt} look="ago" />
          </strong>
        )}
      </p>
    </TypedConfirmation>
  );
};
