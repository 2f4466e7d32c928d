import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { BeginProviderReply } from '../../../src/contract/session.ts';
import { ApiError, sessionQuery, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/notices.tsx';
import { Welcome } from '../../shell/welcome.tsx';
import { useTexts } from '../../text/language.tsx';
import { nextPath, SignInForm } from './parts.tsx';
import styles from './style.module.css';
import { signInTexts } from './texts.ts';

/** Goes to the identity provider. Nothing in a console without one. */
const ProviderButton = ({ next }: { readonly next: string | undefined }) => {
  const texts = useTexts(signInTexts);
  const api = useApi();
  const { data: session } = useQuery(sessionQuery(api));
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => api.post<BeginProviderReply>('/api/session/provider/begin', {}),
    onSuccess: ({ url }) => {
      nextPath.keep(next);
      location.assign(url);
    },
  });
  if (session?.provider == null) return null;
  const isUnavailable = error instanceof ApiError && error.is('provider-unavailable');
  return (
    <div className={styles.provider}>
      <Button icon="external" isBusy={isPending || isSuccess} onClick={() => mutate()}>
        {texts.provider(session.provider)}
      </Button>
      {isUnavailable && (
        <p className="alert" role="alert">
          {texts.providerUnavailable(session.provider)}
        </p>
      )}
      {error && !isUnavailable && <Failure error={error} />}
    </div>
  );
};

const route = getRouteApi('/sign-in');

export const SignInScreen = () => {
  const texts = useTexts(signInTexts);
  const api = useApi();
  const client = useQueryClient();
  const router = useRouter();
  const { next } = route.useSearch();
  return (
    <Welcome title={texts.title} intro={texts.intro}>
      <SignInForm
        onSignedIn={(session) => {
          client.setQueryData(sessionQuery(api).queryKey, session);
          router.history.push(next ?? '/');
        }}
      />
      <ProviderButton next={next} />
      <details>
        <summary>{texts.cannot}</summary>
        <p className="small">{texts.cannotText}</p>
      </details>
    </Welcome>
  );
};
