import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  AcceptInvitationInput,
  ReadInvitationReply,
  SetPasswordInput,
  SetPasswordReply,
} from '../../../src/contract/session.ts';
import { ApiError, sessionQuery, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Field } from '../../parts/form.tsx';
import { Loaded } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notices.tsx';
import { Welcome } from '../../shell/welcome.tsx';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { invitationTexts } from './texts.ts';

interface FactorStepProps {
  readonly token: string;
  readonly factor: SetPasswordReply;
}

/** In groups of four, as a person reads it. */
const spaced = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

const FactorStep = ({ token, factor: { secret, qr } }: FactorStepProps) => {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const texts = useTexts(invitationTexts);
  const [code, setCode] = useState('');
  const accept = useMutation({
    mutationFn: (input: AcceptInvitationInput) => api.postSession('/api/invitation/accept', input),
    onSuccess: (session) => {
      client.setQueryData(sessionQuery(api).queryKey, session);
      void navigate({ to: '/', replace: true });
    },
  });
  const isWrong = accept.error instanceof ApiError && accept.error.is('code-wrong');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        accept.mutate({ token, code });
      }}
    >
      <p>{texts.scan}</p>
      <svg className={styles.qr} viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={texts.qr}>
        <path d={qr.path} />
      </svg>
      <div>
        <p className="small">{texts.secret}</p>
        <p className={styles.secret}>
          <code>{spaced(secret)}</code>
          <CopyButton text={secret} what={texts.factorTitle} />
        </p>
      </div>
      <Field
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*(\d\s*){6}"
        value={code}
        onChange={(event) => setCode(event.target.value)}
        hint={texts.codeHint}
        problem={isWrong ? texts.codeWrong : undefined}
        required
      />
      {accept.error && !isWrong && <Failure error={accept.error} />}
      <Button look="primary" type="submit" isBusy={accept.isPending}>
        {texts.finish}
      </Button>
    </form>
  );
};

const passwordMin = 12;
const passwordMax = 200;

interface PasswordStepProps {
  readonly token: string;
  readonly email: string;
  readonly onDone: (factor: SetPasswordReply) => void;
}

const PasswordStep = ({ token, email, onDone }: PasswordStepProps) => {
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

const steps = 2;

const isInvalid = (error: Error | null): boolean =>
  error instanceof ApiError && (error.is('invitation-invalid') || error.status === 400);

/** The token is behind `#` in the URL, so that it is in no log and in no `Referer`. */
export const InvitationScreen = () => {
  const texts = useTexts(invitationTexts);
  const format = useFormat();
  const api = useApi();
  const token = useLocation({ select: ({ hash }) => hash });
  const [factor, setFactor] = useState<SetPasswordReply>();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.post<ReadInvitationReply>('/api/invitation/read', { token }),
    retry: false,
    // the next page has none
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isInvalid(invitation.error) || (token === '' && !factor)) {
    return (
      <Welcome title={texts.invalidTitle} intro={texts.invalid}>
        <Link to="/sign-in">{texts.toSignIn}</Link>
      </Welcome>
    );
  }
  return (
    <Welcome title={factor ? texts.factorTitle : texts.title}>
      <Loaded query={invitation}>
        {({ email, role, accounts, expiresAt }) => (
          <>
            {!factor && (
              <>
                <p>{texts.intro(email, texts.roles[role])}</p>
                {accounts.length > 0 && (
                  <p>
                    {texts.accounts}: <strong>{accounts.join(', ')}</strong>
                  </p>
                )}
                <p className="small">{texts.until(format.time(expiresAt))}</p>
              </>
            )}
            <p className={styles.step}>{texts.step(factor ? 2 : 1, steps)}</p>
            {factor ? (
              <FactorStep token={token} factor={factor} />
            ) : (
              <PasswordStep token={token} email={email} onDone={setFactor} />
            )}
          </>
        )}
      </Loaded>
    </Welcome>
  );
};
