import { useRef } from 'react';
import type { ChangePasswordInput } from '../../../src/contract/security.ts';
import { ApiError } from '../../api/api-error.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../text/language.tsx';
import { changePassword } from './queries.ts';
import styles from './style.module.css';
import { securityTexts } from './texts.ts';
import { useChange } from './use-change.ts';

const passwordMin = 12;
const passwordMax = 200;

export const PasswordCard = ({ email }: { readonly email: string }) => {
  const texts = useTexts(securityTexts);
  const form = useRef<HTMLFormElement>(null);
  const change = useChange({
    change: (api, input: ChangePasswordInput) => changePassword(api, input),
    done: () => texts.passwordChanged,
    onDone: () => form.current?.reset(),
  });
  const isWrong = change.error instanceof ApiError && change.error.is('password-wrong');
  const isGuessable = change.error instanceof ApiError && change.error.code === 'password-guessable';
  return (
    <Card title={texts.password}>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const sent = new FormData(event.currentTarget);
          change.mutate({ current: formText(sent, 'current'), password: formText(sent, 'password') });
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
          label={texts.currentPassword}
          name="current"
          type="password"
          autoComplete="current-password"
          problem={isWrong ? texts.passwordWrong : undefined}
          maxLength={passwordMax}
          required
        />
        <Field
          label={texts.newPassword}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={passwordMin}
          maxLength={passwordMax}
          hint={texts.passwordHint(passwordMin)}
          problem={isGuessable ? texts.passwordGuessable : undefined}
          required
        />
        {change.error && !isWrong && !isGuessable && <Failure error={change.error} />}
        <div>
          <Button type="submit" isBusy={change.isPending}>
            {texts.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  );
};
