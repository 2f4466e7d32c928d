import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { sessionQuery, useApi } from '../../api/use-api.ts';
import { Welcome } from '../../shell/welcome.tsx';
import { useTexts } from '../../text/language.tsx';
import { ProviderButton } from './provider-button.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { signInTexts } from './texts.ts';

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
    </Welcome>
  );
};
