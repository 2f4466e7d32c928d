import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AcceptInvitationInput, SetPasswordReply } from '../../../src/contract/session.ts';
import { ApiError } from '../../api/api-error.ts';
import { sessionQuery, useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { invitationTexts } from './texts.ts';

interface FactorStepProps {
  readonly token: string;
  readonly factor: SetPasswordReply;
}

/** In groups of four, as a person reads it. */
const spaced = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

export const FactorStep = ({ token, factor: { secret, qr } }: FactorStepProps) => {
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
        <p className={styles.note}>{texts.secret}</p>
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
