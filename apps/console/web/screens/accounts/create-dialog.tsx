import { useNavigate } from '@tanstack/react-router';
import type { AccountSettingsInput } from '../../../src/contract/accounts.ts';
import { useTexts } from '../../text/language.tsx';
import { AccountForm, defaults } from './account-form.tsx';
import { createAccount } from './queries.ts';
import { accountsTexts } from './texts.ts';
import { useAccountAction } from './use-account-action.ts';

/** Creates an account, and goes on to its first connection. */
export const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const texts = useTexts(accountsTexts);
  const navigate = useNavigate();
  const create = useAccountAction<AccountSettingsInput>(createAccount, ({ id }) => {
    onClose();
    void navigate({ to: '/a/$account/connections/new', params: { account: String(id) } });
  });
  return (
    <AccountForm
      title={texts.createTitle}
      text={texts.createText}
      submit={texts.submitCreate}
      settings={defaults}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={(settings) => create.mutate(settings)}
      onClose={onClose}
    />
  );
};
