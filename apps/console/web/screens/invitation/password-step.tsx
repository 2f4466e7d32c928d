import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SetPasswordInput, SetPasswordReply } from '../../../src/contract/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ApiError } from '../../api/api-error.ts';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { invitationTexts } from './texts.ts';

const passwordMin = 12;
const passwordMax = 200;

interface PasswordStepProps {
  readonly token: string;
  readonly email: string;
  readonly onDone: (factor: SetPasswordReply) => void;
}

export const PasswordStep = ({ token, email, onDone }: PasswordStepProps) => {
  const api = useApi();
  const texts = useTexts(invitationTexts);
  const [password, setPassword] = useState('');
  const set = useMutation({
    mutationFn: (input: SetPasswordInput) => api.post<SetPasswordReply>('/api/invitation/password', input),
    onSuccess: onDone,
  });
  const isGuessable = set.error instanceof ApiError && set.error.code === 'password-guessable';
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate({ token, password });
      }}
    >
      {/* password managers save the email with the password */}
      <input
        className="visually-hidden"
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <Field
        label={texts.password}
        type="password"
        autoComplete="new-password"
        minLength={passwordMin}
        maxLength={passwordMax}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        hint={texts.passwordHint(passwordMin)}
        problem={isGuessable ? texts.passwordGuessable : undefined}
        required
      />
      {set.error && !isGuessable && <Failure error={set.error} />}
      <Button look="primary" type="submit" isBusy={set.isPending}>
        {texts.next}
      </Button>
    </form>
  );
};
