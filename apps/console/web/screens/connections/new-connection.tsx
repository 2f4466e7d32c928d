import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { PlatformForm } from '../../../src/contract/connections.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Platform } from '../../parts/platform.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import { Checked } from './checked.tsx';
import { ConnectionForm } from './connection-form.tsx';
import styles from './style.module.css';
import { checkNew, connectionsQuery, createConnection } from './queries.ts';
import { Steps } from './steps.tsx';
import { connectionTexts } from './texts.ts';
import { nothingStored, useForm } from './use-form.ts';
import { problemsIn, Wrong } from './wrong.tsx';

const route = getRouteApi('/signed-in/a/$account/connections/new');

/** Settings, then a test event with them. Nothing is stored before the person connects. */
export const NewConnection = ({ platform }: { readonly platform: PlatformForm }) => {
  const texts = useTexts(connectionTexts);
  const api = useApi();
  const client = useQueryClient();
  const { account } = route.useParams();
  const { step } = route.useSearch();
  const navigate = route.useNavigate();
  const form = useForm(platform, nothingStored);
  const { name } = platform;
  const input = { platform: name, ...form.input };
  const to = (next: 'settings' | 'check') => void navigate({ search: { platform: name, step: next } });
  const check = useMutation({ mutationFn: () => checkNew(api, account, input), onSuccess: () => to('check') });
  const create = useMutation({
    mutationFn: () => createConnection(api, account, input),
    onSuccess: async ({ id }) => {
      showToast(texts.connected);
      await client.invalidateQueries({ queryKey: connectionsQuery(api, account).queryKey });
      return navigate({
        to: '/a/$account/connections/$connection',
        params: { account, connection: String(id) },
        search: {},
      });
    },
  });
  const failed = check.error ?? create.error;
  const problems = problemsIn(failed);
  const result = check.data;
  if (step === 'check' && result) {
    return (
      <>
        <Steps current="check" />
        <Checked
          platform={name}
          result={result}
          error={create.error}
          isChecking={check.isPending}
          isConnecting={create.isPending}
          onBack={() => to('settings')}
          onCheck={() => check.mutate()}
          onConnect={() => create.mutate()}
        />
      </>
    );
  }
  return (
    <>
      <Steps current="settings" />
      <Card title={<Platform name={name} />}>
        <form
          className={styles.body}
          onSubmit={(event) => {
            event.preventDefault();
            create.reset();
            check.mutate();
          }}
        >
          <ConnectionForm platform={platform} form={form} problems={problems} />
          {failed && <Wrong error={failed} />}
          <div className={styles.buttons}>
            <Button icon="left" onClick={() => void navigate({ search: {} })}>
              {texts.backToPlatforms}
            </Button>
            <Button look="primary" type="submit" disabled={form.eventKinds.length === 0} isBusy={check.isPending}>
              {texts.checkNow}
            </Button>
          </div>
        </form>
      </Card>
    </>
  );
};
