import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { SessionReply } from '../../../src/contract/session.ts';
import { ApiError, sessionQuery, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Field, formText } from '../../parts/form.tsx';
import { Skeleton } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notices.tsx';
import { Welcome } from '../../shell/welcome.tsx';
import { useTexts } from '../../text/language.tsx';
import { nextPath } from './parts.tsx';
import styles from './style.module.css';
import { signInTexts } from './texts.ts';

/** The second factor that the identity provider has not checked. */
const ProviderCode = ({ onSignedIn }: { readonly onSignedIn: (session: SessionReply) => void }) => {
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
      className="column"
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

/**
 * Where the identity provider sends the browser back to. The browser sends no cookie with that navigation, because it
 * begins at another site; it sends them with the requests of this page.
 */
export const ProviderScreen = () => {
  const texts = useTexts(signInTexts);
  const api = useApi();
  const client = useQueryClient();
  const router = useRouter();
  const [query] = useState(() => location.search);
  const [session, setSession] = useState<SessionReply>();
  const { data, error } = useQuery({
    queryKey: ['provider', query],
    queryFn: () => api.postSession('/api/session/provider', { query }),
    // a response of the provider counts once
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const signedIn = session ?? data;
  useEffect(() => {
    if (!signedIn) return;
    client.setQueryData(sessionQuery(api).queryKey, signedIn);
    router.history.replace(nextPath.read());
  }, [signedIn, api, client, router]);
  const isCodeNeeded = error instanceof ApiError && error.is('provider-code-needed');
  const intros = {
    'provider-code-needed': texts.providerCode,
    'provider-refused': texts.providerRefused,
    'provider-unavailable': texts.providerGone,
  };
  const intro = error instanceof ApiError ? new Map(Object.entries(intros)).get(error.code ?? '') : undefined;
  return (
    <Welcome title={isCodeNeeded ? texts.codeTitle : texts.title} intro={intro}>
      {!error && <Skeleton lines={3} />}
      {error && intro === undefined && <Failure error={error} />}
      {isCodeNeeded && <ProviderCode onSignedIn={setSession} />}
      {error && (
        <p className={styles.back}>
          <Link to="/sign-in">{texts.otherWay}</Link>
        </p>
      )}
    </Welcome>
  );
};
