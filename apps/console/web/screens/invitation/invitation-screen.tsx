import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReadInvitationReply, SetPasswordReply } from '../../../src/contract/session.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Welcome } from '../../shell/welcome.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { FactorStep } from './factor-step.tsx';
import styles from './style.module.css';
import { PasswordStep } from './password-step.tsx';
import { invitationTexts } from './texts.ts';

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
                <p className={styles.note}>{texts.until(format.time(expiresAt))}</p>
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
