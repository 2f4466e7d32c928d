import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { CheckReply, PlatformForm } from '../../../src/contract/connections.ts';
import { useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { showToast } from '../../parts/notices.tsx';
import { Platform, type PlatformName, titleOf } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useLanguage, useTexts } from '../../text/language.tsx';
import { attentionQuery } from '../undelivered/queries.ts';
import { ConnectionForm, nothingStored, useForm } from './form.tsx';
import {
  CheckResult,
  checkNew,
  createConnection,
  platformsQuery,
  problemsIn,
  useConnectionsChanged,
  Wrong,
} from './parts.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

interface CheckedProps {
  readonly platform: PlatformName;
  readonly result: CheckReply;
  readonly error: Error | null;
  readonly isChecking: boolean;
  readonly isConnecting: boolean;
  readonly onBack: () => void;
  readonly onCheck: () => void;
  readonly onConnect: () => void;
}

/** The last step: the platform's answer, and the button that connects. */
const Checked = ({ platform, result, error, ...others }: CheckedProps) => {
  const texts = useTexts(connectionTexts);
  const isWorking = result.outcome === 'delivered';
  return (
    <Card title={<Platform name={platform} />}>
      <div className={styles.body}>
        <CheckResult platform={platform} result={result} />
        <p>{isWorking ? texts.connectNow : texts.connectAnyway}</p>
        {error && <Wrong error={error} />}
        <div className={styles.buttons}>
          <Button icon="left" onClick={others.onBack}>
            {texts.backToSettings}
          </Button>
          <Button icon="retry" isBusy={others.isChecking} onClick={others.onCheck}>
            {texts.checkAgain}
          </Button>
          <Button look={isWorking ? 'primary' : 'plain'} isBusy={others.isConnecting} onClick={others.onConnect}>
            {texts.activate(titleOf(platform))}
          </Button>
        </div>
      </div>
    </Card>
  );
};

const all = ['platform', 'settings', 'check'] as const;

/** Where in the wizard the person is. */
const Steps = ({ current }: { readonly current: (typeof all)[number] }) => {
  const texts = useTexts(connectionTexts);
  return (
    <ol className={styles.steps}>
      {all.map((step, index) => (
        <li key={step} aria-current={step === current ? 'step' : undefined} data-done={index < all.indexOf(current)}>
          <span aria-hidden="true">{index + 1}</span>
          {texts.steps[step]}
        </li>
      ))}
    </ol>
  );
};

const route = getRouteApi('/signed-in/a/$account/connections/new');

/** Settings, then a test event with them. Nothing is stored before the person connects. */
const NewConnection = ({ platform }: { readonly platform: PlatformForm }) => {
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
  const connectionsChanged = useConnectionsChanged();
  const create = useMutation({
    // what was not accepted is asked again, so that the connection is not said to work
    mutationFn: () => createConnection(api, account, { ...input, isChecked: check.data?.outcome !== 'delivered' }),
    onSuccess: async ({ id }) => {
      showToast(texts.connected);
      await connectionsChanged();
      const { untold } = await client.fetchQuery({ ...attentionQuery(api, account), staleTime: 0 });
      return navigate({
        to: '/a/$account/connections/$connection',
        params: { account, connection: String(id) },
        search: untold.conversions > 0 && untold.connectionIds.includes(id) ? { report: 'now' } : {},
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

/** The first step: which platform, and what is needed for it. */
const PlatformChoice = ({ platforms }: { readonly platforms: readonly PlatformForm[] }) => {
  const { language } = useLanguage();
  const account = useAccountId();
  return (
    <ul className={styles.platforms}>
      {platforms.map(({ name, needed }) => (
        <li key={name} data-row>
          <Link
            to="/a/$account/connections/new"
            params={{ account }}
            search={{ platform: name, step: 'settings' }}
            className={styles.platform}
            data-open
          >
            <Platform name={name} />
            <span>{needed[language]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Connects the account to a platform, in three steps: the platform, its settings, a test event. */
export const NewConnectionScreen = () => {
  const texts = useTexts(connectionTexts);
  const { account } = route.useParams();
  const { platform: name } = route.useSearch();
  const query = useQuery(platformsQuery(useApi(), account));
  return (
    <>
      <ScreenHead title={texts.newTitle} intro={texts.newIntro} />
      <Loaded query={query} lines={6}>
        {({ items }) => {
          const platform = items.find((one) => one.name === name);
          // another platform begins with empty fields
          return platform ? (
            <NewConnection key={platform.name} platform={platform} />
          ) : (
            <>
              <Steps current="platform" />
              <PlatformChoice platforms={items} />
            </>
          );
        }}
      </Loaded>
    </>
  );
};
