import { useMutation } from '@tanstack/react-query';
import type { SessionReply } from '../../src/contract/session.ts';
import type { Api } from '../api/api.ts';
import { useApi } from '../api/use-api.ts';
import { Button } from '../parts/button.tsx';
import { useTexts } from '../text/language.tsx';
import { arePasskeysSupported } from './browser-passkeys.ts';
import styles from './passkey.module.css';
import { PasskeyFailure } from './passkey-failure.tsx';
import { passkeyTexts } from './texts.ts';

interface PasskeyButtonProps {
  readonly what: 'signIn' | 'confirm';
  readonly attempt: (api: Api) => Promise<SessionReply>;
  readonly onDone: (session: SessionReply) => void;
}

/** The other way beside a form. Nothing in a browser without passkeys. */
export const PasskeyButton = ({ what, attempt, onDone }: PasskeyButtonProps) => {
  const texts = useTexts(passkeyTexts);
  const api = useApi();
  const { mutate, isPending, error } = useMutation({ mutationFn: () => attempt(api), onSuccess: onDone });
  if (!arePasskeysSupported()) return null;
  return (
    <div className={styles.other}>
      <p className={styles.or}>{texts.or}</p>
      <Button icon="shield" isBusy={isPending} onClick={() => mutate()}>
        {texts[what]}
      </Button>
      {error && <PasskeyFailure error={error} />}
    </div>
  );
};
