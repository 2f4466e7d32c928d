import { useMutation, useQuery } from '@tanstack/react-query';
import type { BeginProviderReply } from '../../../src/contract/provider.ts';
import { ApiError } from '../../api/api-error.ts';
import { sessionQuery, useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useTexts } from '../../text/language.tsx';
import { nextPath } from './next-path.ts';
import styles from './style.module.css';
import { signInTexts } from './texts.ts';

/** Goes to the identity provider. Nothing in a console without one. */
export const ProviderButton = ({ next }: { readonly next: string | undefined }) => {
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
        <p className={styles.problem} role="alert">
          {texts.providerUnavailable(session.provider)}
        </p>
      )}
      {error && !isUnavailable && <Failure error={error} />}
    </div>
  );
};
