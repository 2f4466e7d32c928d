import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type {
  BackfillInput,
  BackfillReply,
  ChangeConnectionInput,
  ChangedReply,
  CheckReply,
  Connection,
  ConnectionReply,
  ConnectionsReply,
  CreateConnectionInput,
  CreatedReply,
  NewConnectionInput,
  PlatformsReply,
  SwitchedReply,
} from '../../../src/contract/connections.ts';
import { type Api, ApiError, type FieldProblem, useMay } from '../../api.ts';
import { classNames } from '../../parts/button.tsx';
import { Failure } from '../../parts/notices.tsx';
import { type PlatformName, titleOf } from '../../parts/platform.tsx';
import { Badge, PlatformAnswer, type Tone } from '../../parts/values.tsx';
import { useFormat, useLanguage, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { connectionTexts, type Health } from './texts.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/connections`;

export const connectionsQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['connections', account],
    queryFn: ({ signal }) => api.get<ConnectionsReply>(pathOf(account), {}, signal),
  });

export const connectionQuery = (api: Api, account: string, id: string) =>
  queryOptions({
    queryKey: ['connections', account, id],
    queryFn: ({ signal }) => api.get<ConnectionReply>(`${pathOf(account)}/${id}`, {}, signal),
  });

/** It changes only with a new version of the console. */
export const platformsQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['platforms'],
    queryFn: ({ signal }) => api.get<PlatformsReply>(`${pathOf(account)}/platforms`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const checkNew = (api: Api, account: string, input: NewConnectionInput): Promise<CheckReply> =>
  api.post<CheckReply>(`${pathOf(account)}/check`, input);

export const createConnection = (api: Api, account: string, input: CreateConnectionInput): Promise<CreatedReply> =>
  api.post<CreatedReply>(pathOf(account), input);

export const changeConnection = (
  api: Api,
  account: string,
  id: string,
  input: ChangeConnectionInput,
): Promise<ChangedReply> => api.post<ChangedReply>(`${pathOf(account)}/${id}/change`, input);

export const checkConnection = (api: Api, account: string, id: string): Promise<CheckReply> =>
  api.post<CheckReply>(`${pathOf(account)}/${id}/check`, {});

export const switchConnection = (
  api: Api,
  account: string,
  id: string,
  verb: 'pause' | 'resume',
): Promise<SwitchedReply> => api.post<SwitchedReply>(`${pathOf(account)}/${id}/${verb}`, {});

export const deleteConnection = (
  api: Api,
  account: string,
  id: string,
  isDiscarding: boolean,
): Promise<SwitchedReply> => api.post<SwitchedReply>(`${pathOf(account)}/${id}/delete`, { isDiscarding });

export const backfillConnection = (
  api: Api,
  account: string,
  id: string,
  input: BackfillInput,
): Promise<BackfillReply> => api.post<BackfillReply>(`${pathOf(account)}/${id}/backfill`, input);

/** Reads again what a change of the state of a connection changes. */
export const useConnectionsChanged = (): (() => Promise<unknown>) => {
  const client = useQueryClient();
  return () =>
    Promise.all(
      ['connections', 'attention', 'undelivered'].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
};

const tones: Readonly<Record<CheckReply['outcome'], 'good' | 'bad' | 'warn'>> = {
  delivered: 'good',
  rejected: 'bad',
  refused: 'bad',
  throttled: 'warn',
  unavailable: 'warn',
  postponed: 'warn',
};

interface CheckResultProps {
  readonly platform: PlatformName;
  readonly result: CheckReply;
}

/** What the platform answered to a test event, and what that means. */
export const CheckResult = ({ platform, result }: CheckResultProps) => {
  const texts = useTexts(connectionTexts);
  const { language } = useLanguage();
  const { outcome, reason, httpStatus, answer, note, remedy } = result;
  const tone = tones[outcome];
  return (
    <div className={classNames(styles.result, styles[tone])} role="status">
      <p className={styles.head}>
        <Badge tone={tone}>{texts.outcomes[outcome]}</Badge>
        {httpStatus !== null && <code>HTTP {httpStatus}</code>}
      </p>
      <p>{texts.outcomeTexts[outcome](titleOf(platform))}</p>
      {reason !== null && <q lang="en">{reason}</q>}
      {note !== null && <p>{note[language]}</p>}
      {remedy !== null && <p>{remedy.words[language]}</p>}
      {answer !== null && <PlatformAnswer title={texts.answer} answer={answer} isOpen={tone !== 'good'} />}
    </div>
  );
};

/** The problems of fields that an error names. */
export const problemsIn = (error: Error | null): readonly FieldProblem[] =>
  error instanceof ApiError ? error.problems : [];

/** Beside the button: that fields are wrong, which say so themselves, or what else went wrong. */
export const Wrong = ({ error }: { readonly error: Error }) => {
  const texts = useTexts(connectionTexts);
  const { length } = problemsIn(error);
  if (length === 0) return <Failure error={error} />;
  return (
    <p className="wrong" role="alert">
      {texts.wrongFields(length)}
    </p>
  );
};

/** For those who may manage connections: others can do nothing about it. */
export const VersionEnd = ({ connection }: { readonly connection: Pick<Connection, 'platform' | 'versionEnd'> }) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const mayManage = useMay('manage-connections');
  const { platform, versionEnd } = connection;
  if (versionEnd === null || !mayManage) return null;
  const { version, endsAt, hasEnded } = versionEnd;
  const say = hasEnded ? texts.versionEnded : texts.versionEnds;
  return (
    <div className={classNames(styles.trouble, hasEnded && styles.rejected)} role="note">
      <p>{say(titleOf(platform), version, format.dayWithYear(endsAt))}</p>
      <p>{hasEnded ? texts.versionFixNow : texts.versionFix}</p>
    </div>
  );
};

export const healthTones: Readonly<Record<Health, Tone>> = {
  active: 'good',
  retrying: 'warn',
  unavailable: 'warn',
  paused: 'plain',
  rejected: 'bad',
};

// the worker sends nothing for a while, because the platform fails or throttles
const circuitIsOpen = 'connection_rests';

export const healthOf = ({ state, retrying, retryReason }: Connection): Health => {
  if (state === 'needs_attention') return 'rejected';
  if (state === 'paused') return 'paused';
  if (retrying === 0) return 'active';
  return retryReason === circuitIsOpen ? 'unavailable' : 'retrying';
};
