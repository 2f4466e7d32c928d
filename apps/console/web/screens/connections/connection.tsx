import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Connection, ConnectionReply, PlatformForm } from '../../../src/contract/connections.ts';
import { ApiError, useApi, useMay } from '../../api.ts';
import { Button, classNames } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { calledAs, titleOf } from '../../parts/platform.tsx';
import { useReason } from '../../reason/reason.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useLanguage, useTexts } from '../../text/language.tsx';
import { BackfillDialog } from './backfill.tsx';
import { ConnectionForm, useForm } from './form.tsx';
import {
  CheckResult,
  changeConnection,
  checkConnection,
  connectionQuery,
  deleteConnection,
  healthOf,
  healthTones,
  platformsQuery,
  problemsIn,
  switchConnection,
  useConnectionsChanged,
  VersionEnd,
  Wrong,
} from './parts.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

interface Changed {
  readonly label: string;
  /** Empty: removed. */
  readonly now: string;
}

const written = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([name, value]) => `${name} → ${value}`)
    .toSorted((one, other) => one.localeCompare(other))
    .join(', ');

/** What somebody else has changed since a person saw the connection. Secrets are never shown: that they may differ is. */
const useChangedMeanwhile = (
  platform: PlatformForm,
  seen: ConnectionReply,
  now: ConnectionReply,
): readonly Changed[] => {
  const texts = useTexts(connectionTexts);
  const { language } = useLanguage();
  if (seen.version === now.version) return [];
  const eventsOf = ({ connection }: ConnectionReply) =>
    connection.eventKinds
      .map((kind) => texts.eventNames[kind])
      .toSorted((one, other) => one.localeCompare(other))
      .join(', ');
  const fields = platform.settings.map((field) => ({
    label: field.texts[language].label,
    before: seen.settings[field.name] ?? '',
    now: now.settings[field.name] ?? '',
  }));
  const told = [
    { label: texts.label, before: seen.label, now: now.label },
    { label: texts.events, before: eventsOf(seen), now: eventsOf(now) },
    { label: texts.names, before: written(seen.eventNames), now: written(now.eventNames) },
  ];
  const changed = [...fields, ...told].filter((one) => one.before !== one.now);
  return changed.length > 0 ? changed : [{ label: texts.credentials, now: texts.maybeReplaced }];
};

const route = getRouteApi('/signed-in/a/$account/connections/$connection');

interface ChangeConnectionProps {
  readonly platform: PlatformForm;
  readonly found: ConnectionReply;
}

/** The settings of a connection. If somebody else changes them meanwhile, what was typed stays and the rest is renewed. */
const ChangeConnection = ({ platform, found }: ChangeConnectionProps) => {
  const texts = useTexts(connectionTexts);
  const api = useApi();
  const client = useQueryClient();
  const may = useMay('manage-connections');
  const { account, connection: id } = route.useParams();
  const { fix } = route.useSearch();
  const navigate = route.useNavigate();
  const format = useFormat();
  const connectionsChanged = useConnectionsChanged();
  const form = useForm(platform, { ...found, eventKinds: found.connection.eventKinds });
  // the version that the person has seen: a change of another one since then is shown before it is overwritten
  const [seen, setSeen] = useState(found);
  if (!form.isChanged && seen !== found) setSeen(found);
  const changed = useChangedMeanwhile(platform, seen, found);
  useEffect(() => {
    if (fix !== undefined) document.querySelector<HTMLElement>('[data-wanted]')?.focus();
  }, [fix]);
  const own = connectionQuery(api, account, id);
  const save = useMutation({
    mutationFn: () => changeConnection(api, account, id, { version: seen.version, ...form.input }),
    onSuccess: async ({ check, ...stored }) => {
      form.reset();
      setSeen(stored);
      client.setQueryData(own.queryKey, stored);
      const inactive = stored.connection.state === 'paused' ? texts.savedInactive : texts.savedRejected;
      const saved = stored.connection.state === 'active' ? texts.saved : inactive;
      showToast(check && check.sent > 0 ? texts.recovered(format.count(check.sent)) : saved);
      await connectionsChanged();
      return navigate({ search: {}, resetScroll: false });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'conflict') void client.invalidateQueries(own);
    },
  });
  const isConflict = save.error instanceof ApiError && save.error.code === 'conflict';
  return (
    <Card>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {found.credentials === null && <p className={styles.warning}>{texts.unreadable}</p>}
        <fieldset className={styles.all} disabled={!may}>
          <ConnectionForm
            platform={platform}
            form={form}
            problems={problemsIn(save.error)}
            wanted={may ? (fix?.split(',') ?? []) : []}
          />
        </fieldset>
        {isConflict && changed.length > 0 && (
          <div className={styles.warning} role="alert">
            <p>{texts.conflict}</p>
            <ul>
              {changed.map(({ label, now }) => (
                <li key={label}>
                  {label}: <strong>{now === '' ? texts.none : now}</strong>
                </li>
              ))}
            </ul>
            <Button
              onClick={() => {
                save.reset();
                setSeen(found);
              }}
            >
              {texts.seen}
            </Button>
          </div>
        )}
        {save.error && !isConflict && <Wrong error={save.error} />}
        {save.data?.check && <CheckResult platform={found.connection.platform} result={save.data.check} />}
        {may && (
          <div className={styles.buttons}>
            <Button
              look="primary"
              type="submit"
              disabled={!form.isChanged || form.eventKinds.length === 0 || isConflict}
              isBusy={save.isPending}
            >
              {texts.save}
            </Button>
            {form.isChanged && (
              <Button
                onClick={() => {
                  form.reset();
                  save.reset();
                  setSeen(found);
                }}
              >
                {texts.discard}
              </Button>
            )}
          </div>
        )}
      </form>
    </Card>
  );
};

interface PauseDialogProps {
  readonly waiting: number;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onPause: () => void;
  readonly onClose: () => void;
}

/** Says first what a pause means: what waits for long becomes too old. */
const PauseDialog = ({ waiting, error, isBusy, onPause, onClose }: PauseDialogProps) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  return (
    <FormDialog
      title={texts.pauseTitle}
      action={texts.pause}
      isBusy={isBusy}
      focus="cancel"
      onSubmit={onPause}
      onClose={onClose}
    >
      <div className={styles.said}>
        <p>{texts.pauseWaiting(format.count(waiting))}</p>
        <p className={styles.warning}>{texts.pauseWaits}</p>
        {error && <Failure error={error} />}
      </div>
    </FormDialog>
  );
};

interface DeleteDialogProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Says first what is lost: what waits, which the person must agree to. */
const DeleteDialog = ({ connection, onClose }: DeleteDialogProps) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const navigate = useNavigate();
  const connectionsChanged = useConnectionsChanged();
  const [isAgreed, setAgreed] = useState(false);
  const { id, platform, waiting } = connection;
  const remove = useMutation({
    mutationFn: () => deleteConnection(api, account, String(id), isAgreed),
    onSuccess: async () => {
      showToast(texts.delete.done(calledAs(connection)));
      await navigate({ to: '/a/$account/connections', params: { account } });
      client.removeQueries({ queryKey: connectionQuery(api, account, String(id)).queryKey });
      await connectionsChanged();
    },
    // something may wait by now
    onError: connectionsChanged,
  });
  const isConflict = remove.error instanceof ApiError && remove.error.code === 'conflict';
  return (
    <FormDialog
      title={texts.delete.title(`${titleOf(platform)} · ${calledAs(connection)}`)}
      action={texts.delete.action}
      isBusy={remove.isPending}
      isReady={waiting === 0 || isAgreed}
      focus="cancel"
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <div className={styles.said}>
        <p>{texts.delete.means}</p>
        <p>{texts.delete.history}</p>
        {waiting > 0 && (
          <>
            <p className={styles.warning}>{texts.delete.waiting(format.count(waiting))}</p>
            <label className={styles.choice}>
              <input type="checkbox" checked={isAgreed} onChange={(event) => setAgreed(event.target.checked)} />
              <span>{texts.delete.discard}</span>
            </label>
          </>
        )}
        {remove.error && (isConflict ? <p role="alert">{texts.delete.waits}</p> : <Failure error={remove.error} />)}
      </div>
    </FormDialog>
  );
};

/** Send a test event, pause, resume, delete. */
const ConnectionActions = ({ connection }: { readonly connection: Connection }) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const api = useApi();
  const account = useAccountId();
  const may = useMay('manage-connections');
  const { report } = route.useSearch();
  const [isPausing, setPausing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const navigate = route.useNavigate();
  const setReporting = (isReporting: boolean) =>
    void navigate({ search: isReporting ? { report: 'now' } : {}, resetScroll: false });
  const connectionsChanged = useConnectionsChanged();
  const { platform, state, waiting } = connection;
  const id = String(connection.id);
  const check = useMutation({
    mutationFn: () => checkConnection(api, account, id),
    onSuccess: ({ sent }) => {
      if (sent > 0) showToast(texts.recovered(format.count(sent)));
      return connectionsChanged();
    },
  });
  const turn = useMutation({
    mutationFn: (verb: 'pause' | 'resume') => switchConnection(api, account, id, verb),
    onSuccess: ({ deliveries }, verb) => {
      setPausing(false);
      showToast(verb === 'pause' ? texts.paused(format.count(deliveries)) : texts.resumed(format.count(deliveries)));
      return connectionsChanged();
    },
  });
  if (!may) return <p className={styles.small}>{texts.mayNotChange}</p>;
  return (
    <>
      <div className={styles.buttons}>
        {state !== 'active' && (
          <Button
            look={state === 'paused' ? 'primary' : 'plain'}
            icon="play"
            isBusy={turn.isPending}
            onClick={() => turn.mutate('resume')}
          >
            {waiting === 0 ? texts.resume : texts.resumeAndSend(format.count(waiting))}
          </Button>
        )}
        <Button
          look={state === 'needs_attention' ? 'primary' : 'plain'}
          icon="deliveries"
          isBusy={check.isPending}
          onClick={() => check.mutate()}
        >
          {state === 'needs_attention' && waiting > 0 ? texts.testAndSend(format.count(waiting)) : texts.sendTest}
        </Button>
        {state !== 'paused' && (
          <Button icon="pause" onClick={() => setPausing(true)}>
            {texts.pause}
          </Button>
        )}
        {connection.eventKinds.includes('conversion') && (
          <Button icon="upload" onClick={() => setReporting(true)}>
            {texts.backfill.open}
          </Button>
        )}
        <Button icon="close" onClick={() => setDeleting(true)}>
          {texts.delete.open}
        </Button>
      </div>
      {check.error && <Failure error={check.error} />}
      {check.data && <CheckResult platform={platform} result={check.data} />}
      {turn.error && !isPausing && <Failure error={turn.error} />}
      {report === 'now' && <BackfillDialog connection={connection} onClose={() => setReporting(false)} />}
      {isDeleting && <DeleteDialog connection={connection} onClose={() => setDeleting(false)} />}
      {isPausing && (
        <PauseDialog
          waiting={waiting}
          error={turn.error}
          isBusy={turn.isPending}
          onPause={() => turn.mutate('pause')}
          onClose={() => {
            turn.reset();
            setPausing(false);
          }}
        />
      )}
    </>
  );
};

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** Why nothing arrives now, if so; in the platform's words. */
const Trouble = ({ connection }: { readonly connection: Connection }) => {
  const texts = useTexts(connectionTexts);
  const { language } = useLanguage();
  const reasonOf = useReason();
  const { stateReason, remedy, retryReason, retryAt } = connection;
  const health = healthOf(connection);
  if (health === 'active') return null;
  const known = health === 'retrying' && retryReason !== null ? reasonOf(retryReason) : undefined;
  return (
    <div className={classNames(styles.trouble, health === 'rejected' && styles.rejected)}>
      <p>{texts.healthTexts[health]}</p>
      {stateReason !== null && <q lang="en">{stateReason}</q>}
      {remedy !== null && <p>{remedy.words[language]}</p>}
      {known && <p>{known.title}</p>}
      {health === 'retrying' && retryReason !== null && !known && <q lang="en">{retryReason}</q>}
      {retryAt !== null && (
        <p>
          {texts.nextAttempt} <Time at={retryAt} />
        </p>
      )}
    </div>
  );
};

/** How a connection does, and what can be done about it. */
const Facts = ({ connection }: { readonly connection: Connection }) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const account = useAccountId();
  const { id, deliveredAt, failedInDay, isFailedPartial, waiting, held, createdAt, recent } = connection;
  const all = recent.delivered + recent.failed + recent.skipped + recent.pending;
  return (
    <Card>
      <div className={styles.factsBody}>
        <Trouble connection={connection} />
        <VersionEnd connection={connection} />
        {held > 0 && <p className="soft">{texts.held(format.count(held))}</p>}
        <dl className={styles.facts}>
          <Fact title={texts.columns.delivered}>
            {deliveredAt === null ? '–' : <Time at={deliveredAt} look="ago" />}
          </Fact>
          <Fact title={texts.columns.recent}>
            {all === 0 ? texts.noConversions : texts.deliveredOf(format.count(recent.delivered), format.count(all))}
          </Fact>
          <Fact title={texts.columns.failed}>
            {format.count(failedInDay)}
            {isFailedPartial && '+'}
          </Fact>
          <Fact title={texts.columns.waiting}>{format.count(waiting)}</Fact>
          <Fact title={texts.created}>
            <Time at={createdAt} /> · {texts.connection(id)}
          </Fact>
        </dl>
        <Link to="/a/$account/deliveries" params={{ account }} search={{ connection: id }}>
          {texts.seeDeliveries}
        </Link>
        <ConnectionActions connection={connection} />
      </div>
    </Card>
  );
};

/** One connection: does it work, and what is set? */
export const ConnectionScreen = () => {
  const texts = useTexts(connectionTexts);
  const api = useApi();
  const { account, connection: id } = route.useParams();
  const query = useQuery(connectionQuery(api, account, id));
  const platforms = useQuery(platformsQuery(api, account));
  return (
    <>
      <Link to="/a/$account/connections" params={{ account }}>
        {texts.toList}
      </Link>
      <Loaded query={query} lines={8}>
        {(found) => {
          const { connection } = found;
          const health = healthOf(connection);
          return (
            <>
              <ScreenHead
                title={`${titleOf(connection.platform)} · ${calledAs(connection)}`}
                intro={<Badge tone={healthTones[health]}>{texts.health[health]}</Badge>}
              />
              <Facts connection={connection} />
              <Loaded query={platforms} lines={6}>
                {({ items }) => {
                  const platform = items.find(({ name }) => name === connection.platform);
                  return platform && <ChangeConnection key={id} platform={platform} found={found} />;
                }}
              </Loaded>
            </>
          );
        }}
      </Loaded>
    </>
  );
};
