import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type {
  ChangeWebhookInput,
  CreateWebhookInput,
  CreateWebhookReply,
  ListWebhooksReply,
  RotateSecretReply,
  Webhook,
  WebhookDeliveriesReply,
  WebhookDelivery,
  WebhookSentReply,
} from '../../../src/contract/webhooks.ts';
import { type Api, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { ShownOnce } from '../../parts/copy.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/form.tsx';
import { Stack } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { pagesQuery } from '../../parts/pages.tsx';
import { Badge } from '../../parts/values.tsx';
import type { LogSearch } from '../../search.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { webhooksTexts } from './texts.ts';

const listPath = (account: string): string => `/api/accounts/${account}/webhooks`;
const pathOf = (account: string, webhook: string): string => `${listPath(account)}/${webhook}`;
const pollMs = 1000;

export const webhooksQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['webhooks', account],
    queryFn: ({ signal }) => api.get<ListWebhooksReply>(listPath(account), {}, signal),
  });

export const webhookQuery = (api: Api, account: string, webhook: string) =>
  queryOptions({
    queryKey: ['webhook', account, webhook],
    queryFn: ({ signal }) => api.get<Webhook>(pathOf(account, webhook), {}, signal),
  });

export const logQuery = (api: Api, account: string, webhook: string, search: LogSearch) =>
  pagesQuery<WebhookDeliveriesReply>(api, {
    key: ['webhook-log', account, webhook, search],
    path: `${pathOf(account, webhook)}/deliveries`,
    query: { ...search },
  });

/** Whether a response will soon be known. */
export const isBeingSent = ({ state, attempts }: WebhookDelivery): boolean =>
  state === 'pending' && (attempts.length === 0 || attempts.at(-1)?.outcome === 'requeued');

// a test that is sent again is due within ten seconds
const soonMs = 60_000;

/** Whether a response may come while somebody looks. Without a time of the next attempt, a worker may be sending it. */
const isDueSoon = (delivery: WebhookDelivery): boolean =>
  isBeingSent(delivery) ||
  (delivery.state === 'pending' &&
    (delivery.nextAttemptAt === null || Date.parse(delivery.nextAttemptAt) - Date.now() < soonMs));

/** One delivery; null: the log no longer has it. Polled while a response may come soon. */
export const webhookDeliveryQuery = (api: Api, account: string, webhook: string, delivery: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', account, webhook, delivery],
    queryFn: async ({ signal }): Promise<WebhookDelivery | null> => {
      const page = { after: Number(delivery) + 1, limit: 1 };
      const { items } = await api.get<WebhookDeliveriesReply>(`${pathOf(account, webhook)}/deliveries`, page, signal);
      return items.find(({ id }) => String(id) === delivery) ?? null;
    },
    refetchInterval: ({ state: { data } }) => (data && isDueSoon(data) ? pollMs : false),
  });

export const createWebhook = (api: Api, account: string, given: CreateWebhookInput): Promise<CreateWebhookReply> =>
  api.post<CreateWebhookReply>(listPath(account), given);

const changeWebhook = (
  api: Api,
  account: string,
  { id, ...changes }: ChangeWebhookInput & { readonly id: number },
): Promise<Webhook> => api.post<Webhook>(pathOf(account, String(id)), changes);

export const rotateSecret = (api: Api, account: string, webhook: string): Promise<RotateSecretReply> =>
  api.post<RotateSecretReply>(`${pathOf(account, webhook)}/secret`, {});

export const deleteWebhook = (api: Api, account: string, webhook: string): Promise<unknown> =>
  api.post(`${pathOf(account, webhook)}/delete`, {});

export const testWebhook = (api: Api, account: string, webhook: string): Promise<WebhookSentReply> =>
  api.post<WebhookSentReply>(`${pathOf(account, webhook)}/test`, {});

export const retryWebhookDelivery = (
  api: Api,
  account: string,
  webhook: string,
  deliveryId: number,
): Promise<WebhookSentReply> => api.post<WebhookSentReply>(`${pathOf(account, webhook)}/retry`, { deliveryId });

/** Changes, pauses or resumes a webhook, and says `done`. */
export const useChange = (id: number, done: string): UseMutationResult<Webhook, Error, ChangeWebhookInput> => {
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  return useMutation({
    mutationFn: (changes: ChangeWebhookInput) => changeWebhook(api, account, { id, ...changes }),
    onSuccess: (webhook) => {
      showToast(done);
      client.setQueryData(webhookQuery(api, account, String(id)).queryKey, webhook);
      return client.invalidateQueries({ queryKey: webhooksQuery(api, account).queryKey });
    },
  });
};

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Closes by its button alone: a click beside it must not lose the secret. */
export const SecretDialog = ({ title, secret, onClose, children }: SecretDialogProps) => {
  const texts = useTexts(webhooksTexts);
  return (
    <Dialog
      title={title}
      actions={
        <Button look="primary" onClick={onClose}>
          {texts.stored}
        </Button>
      }
    >
      <Stack>
        {children}
        <ShownOnce title={texts.secret} value={secret} />
      </Stack>
    </Dialog>
  );
};

type Topic = Webhook['events'][number];

export const topics = [
  'delivery.delivered',
  'delivery.failed',
  'delivery.skipped',
  'connection.needs_attention',
  'connection.recovered',
  'import.finished',
  'reconciliation.finished',
  'page.target_changed',
  'domain.state_changed',
] as const satisfies readonly Topic[];

/** What needs action. */
export const usualTopics: readonly Topic[] = [
  'delivery.failed',
  'connection.needs_attention',
  'page.target_changed',
  'domain.state_changed',
];

interface EventChoicesProps {
  readonly chosen: readonly Topic[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly Topic[]) => void;
}

const EventChoices = ({ chosen, problem, onChange }: EventChoicesProps) => {
  const texts = useTexts(webhooksTexts);
  return (
    <fieldset className={styles.choices} aria-describedby={problem === undefined ? undefined : 'events-problem'}>
      <legend>{texts.events}</legend>
      {topics.map((topic) => (
        <label key={topic} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(topic)}
            onChange={({ target: { checked } }) =>
              onChange(topics.filter((one) => (one === topic ? checked : chosen.includes(one))))
            }
          />
          {topic}
          <small>{texts.topics[topic]}</small>
        </label>
      ))}
      {problem !== undefined && (
        <p id="events-problem" className="wrong" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
};

interface WebhookFormProps {
  readonly title: string;
  readonly action: string;
  readonly initial: CreateWebhookInput;
  /** The mode is chosen once. */
  readonly isNew: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (given: CreateWebhookInput) => void;
  readonly onClose: () => void;
}

/** URL, events and mode. What the server refuses is said below the fields, which keep what was typed. */
export const WebhookForm = (props: WebhookFormProps) => {
  const { title, action, initial, isNew, isBusy, error, onSubmit, onClose } = props;
  const texts = useTexts(webhooksTexts);
  const [given, setGiven] = useState(initial);
  const [isTried, setTried] = useState(false);
  const isWithoutEvents = given.events.length === 0;
  return (
    <FormDialog
      title={title}
      action={action}
      isBusy={isBusy}
      onSubmit={() => {
        setTried(true);
        if (!isWithoutEvents) onSubmit(given);
      }}
      onClose={onClose}
    >
      <div className={styles.form}>
        <Field
          label={texts.url}
          hint={texts.urlHint}
          type="url"
          required
          maxLength={2000}
          placeholder="https://shop.example/leadback"
          autoCapitalize="none"
          spellCheck={false}
          value={given.url}
          onChange={(event) => setGiven({ ...given, url: event.target.value })}
          data-focus
        />
        {isNew && (
          <Select
            label={texts.mode}
            value={given.isTest ? 'test' : 'live'}
            options={[
              { value: 'live', label: texts.liveMode },
              { value: 'test', label: texts.testMode },
            ]}
            onChange={(mode) => setGiven({ ...given, isTest: mode === 'test' })}
          />
        )}
        <EventChoices
          chosen={given.events}
          problem={isTried && isWithoutEvents ? texts.noEvents : undefined}
          onChange={(events) => setGiven({ ...given, events: [...events] })}
        />
        {error && <Failure error={error} />}
      </div>
    </FormDialog>
  );
};

/** What its pause means; null: it is active. */
export const usePauseWords = (): ((webhook: Webhook) => string | null) => {
  const texts = useTexts(webhooksTexts);
  const pauses: Readonly<Partial<Record<string, string>>> = texts.pauses;
  return ({ state, reason }) => {
    if (state === 'active') return null;
    if (reason === null) return texts.pausedByPerson;
    return pauses[reason] ?? texts.pausedOther(reason);
  };
};

/** Red if Leadback had to pause it, for then it needs somebody. */
export const WebhookState = ({ webhook: { state, reason, isVerified } }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  if (state === 'active' && !isVerified) return <Badge tone="warn">{texts.states.unverified}</Badge>;
  if (state === 'active') return <Badge tone="good">{texts.states.active}</Badge>;
  if (reason === null) return <Badge tone="warn">{texts.states.paused}</Badge>;
  return <Badge tone="bad">{reason === 'gone' ? texts.states.gone : texts.states.failing}</Badge>;
};

/** `shop.example:8443`: what tells webhooks apart. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const pathOfUrl = (url: string): string => {
  if (!URL.canParse(url)) return '';
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The host first: it is what people look for. */
export const WebhookUrl = ({ url }: { readonly url: string }) => (
  <span className={styles.url}>
    <strong>{hostOf(url)}</strong>
    <small>{pathOfUrl(url)}</small>
  </span>
);
