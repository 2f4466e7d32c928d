import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SessionReply } from '../../../src/contract/session.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApi } from '../../api/use-api.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { signInTexts } from './texts.ts';

/** The second factor that the identity provider has not checked. */
export const ProviderCode = ({ onSignedIn }: { readonly onSignedIn: (session: SessionReply) => void }) => {
  const texts = useTexts(signInTexts);
  const api = useApi();
  const field = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (code: string) => api.postSession('/api/session/provider/code', { code }),
    onSuccess: onSignedIn,
    onError: () => field.current?.select(),
  });
  const problems = { 'code-wrong': texts.codeWrong, locked: texts.locked, 'provider-refused': texts.providerRefused };
  const problem = error instanceof ApiError ? new Map(Object.entries(problems)).get(error.code ?? '') : undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutate(formText(new FormData(event.currentTarget), 'code'));
      }}
    >
      <Field
        ref={field}
        label={texts.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*(\d\s*){6}"
        hint={texts.codeHint}
        problem={problem}
        required
      />
      {error && problem === undefined && <Failure error={error} />}
      <Button look="primary" type="submit" isBusy={isPending}>
        {texts.submit}
      </Button>
    </form>
  );
};
