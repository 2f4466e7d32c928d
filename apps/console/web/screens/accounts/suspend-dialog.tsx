import { useState } from 'react';
import type { Account } from '../../../src/contract/accounts.ts';
import { Switch } from '../../parts/switch.tsx';
import { showToast } from '../../parts/toast.tsx';
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { suspendAccount } from './queries.ts';
import { accountsTexts } from './texts.ts';
import { useAccountAction } from './use-account-action.ts';

interface SuspendDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export const SuspendDialog = ({ account: { id, name }, onClose }: SuspendDialogProps) => {
  const texts = useTexts(accountsTexts);
  const [hidesPages, setHidesPages] = useState(false);
  const suspend = useAccountAction<void>(
    (api) => suspendAccount(api, id, { pages: hidesPages }),
    () => {
      showToast(texts.suspended(name));
      onClose();
    },
  );
  return (
    <TypedConfirmation
      title={texts.suspendTitle(name)}
      name={name}
      action={texts.confirmSuspend}
      isBusy={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutate()}
      onClose={onClose}
    >
      <p>{texts.suspendText}</p>
      <ul className={styles.stops}>
        {texts.stops.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <p>{texts.goesOn}</p>
      <Switch isOn={hidesPages} name={texts.hidePages} onChange={setHidesPages}>
        {texts.hidePages}
      </Switch>
    </TypedConfirmation>
  );
};
