import type { Account, AccountSettingsInput } from '../../../src/contract/accounts.ts';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import { AccountForm } from './account-form.tsx';
import { changeAccount } from './queries.ts';
import { accountsTexts } from './texts.ts';
import { useAccountAction } from './use-account-action.ts';

interface ChangeDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export const ChangeDialog = ({ account, onClose }: ChangeDialogProps) => {
  const texts = useTexts(accountsTexts);
  const change = useAccountAction<AccountSettingsInput>(
    (api, settings) => changeAccount(api, account.id, settings),
    ({ name }) => {
      showToast(texts.changed(name));
      onClose();
    },
  );
  return (
    <AccountForm
      title={texts.changeTitle(account.name)}
      text={texts.changeText}
      submit={texts.save}
      settings={account}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={(settings) => change.mutate(settings)}
      onClose={onClose}
    />
  );
};
