import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SessionReply } from '../../src/contract/session.ts';
import { ApiError } from '../api/api-error.ts';
import { sessionQuery, useApi, useSession } from '../api/use-api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Field } from '../parts/field.tsx';
import { formText } from '../form-text.ts';
import { stepUpWithPasskey } from '../passkey/browser-passkeys.ts';
import { PasskeyButton } from '../passkey/passkey-button.tsx';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import styles from './late.module.css';
import { secondFactorTexts } from './second-factor-texts.ts';

/** Asks for a code over the page, before an action that needs a fresh one. */
export const SecondFactor = ({ onAnswer }: { readonly onAnswer: (isGiven: boolean) => void }) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(secondFactorTexts);
  const api = useApi();
  const client = useQueryClient();
  const { person } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const proceed = (session: SessionReply) => {
    client.setQueryData(sessionQuery(api).queryKey, session);
    onAnswer(true);
  };
  const stepUp = useMutation({
    mutationFn: (code: string) => api.postSession('/api/session/step-up', { code }),
    onSuccess: proceed,
    onError: () => field.current?.select(),
  });
  const { error } = stepUp;
  const problem =
    error instanceof ApiError
      ? { 'code-wrong': texts.wrong, 'code-used': texts.used, locked: texts.locked }[error.code ?? '']
      : undefined;
  return (
    <Dialog
      title={texts.title}
      onClose={() => onAnswer(false)}
      actions={
        <>
          <Button onClick={() => onAnswer(false)}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="second-factor" isBusy={stepUp.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form
        id="second-factor"
        onSubmit={(event) => {
          event.preventDefault();
          stepUp.mutate(formText(new FormData(event.currentTarget), 'code'));
        }}
      >
        <p className={styles.text}>{texts.text}</p>
        <Field
          ref={field}
          label={texts.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*(\d\s*){6}"
          problem={problem}
          data-focus
          required
        />
        {error && problem === undefined && <Failure error={error} />}
      </form>
      {person?.hasPasskey === true && <PasskeyButton what="confirm" attempt={stepUpWithPasskey} onDone={proceed} />}
    </Dialog>
  );
};
