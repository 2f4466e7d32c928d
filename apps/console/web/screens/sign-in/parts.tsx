import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SessionReply, SignInInput } from '../../../src/contract/session.ts';
import { ApiError, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Field, formText } from '../../parts/form.tsx';
import { Failure } from '../../parts/notices.tsx';
import { PasskeyButton, signInWithPasskey } from '../../passkey/passkey.tsx';
import { ownPath } from '../../search.ts';
import { useTexts } from '../../text/language.tsx';
import { signInTexts } from './texts.ts';

interface SignInFormProps {
  readonly email?: string | undefined;
  readonly onSignedIn: (session: SessionReply) => void;
}

export const SignInForm = ({ email, onSignedIn }: SignInFormProps) => {
  const api = useApi();
  const texts = useTexts(signInTexts);
  const code = useRef<HTMLInputElement>(null);
  const signIn = useMutation({
    mutationFn: (input: SignInInput) => api.postSession('/api/session/sign-in', input),
    onSuccess: onSignedIn,
    onError: () => code.current?.select(),
  });
  const { error } = signIn;
  const problem =
    error instanceof ApiError
      ? { 'sign-in-failed': texts.wrong, 'code-used': texts.codeUsed, locked: texts.locked }[error.code ?? '']
      : undefined;
  return (
    <>
      <form
        className="column"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          signIn.mutate({
            email: formText(form, 'email'),
            password: formText(form, 'password'),
            code: formText(form, 'code'),
          });
        }}
      >
        <Field label={texts.email} name="email" type="email" autoComplete="username" defaultValue={email} required />
        <Field label={texts.password} name="password" type="password" autoComplete="current-password" required />
        <Field
          ref={code}
          label={texts.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*(\d\s*){6}"
          hint={texts.codeHint}
          required
        />
        {problem !== undefined && (
          <p className="alert" role="alert">
            {problem}
          </p>
        )}
        {error && problem === undefined && <Failure error={error} />}
        <Button look="primary" type="submit" isBusy={signIn.isPending}>
          {texts.submit}
        </Button>
      </form>
      <PasskeyButton what="signIn" attempt={signInWithPasskey} onDone={onSignedIn} />
    </>
  );
};

const name = 'leadback.next';

/** Where the person wants to be after the identity provider. Forgotten by a browser that stores nothing. */
export const nextPath = {
  keep(path: string | undefined): void {
    try {
      if (path === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, path);
    } catch {
      // the person begins at the first screen
    }
  },
  read(): string {
    try {
      return ownPath(sessionStorage.getItem(name)) ?? '/';
    } catch {
      return '/';
    }
  },
};
