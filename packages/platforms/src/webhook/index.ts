import { createHmac, randomUUID } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import {
  webhookPauses,
  type Outcome,
  type WebhookCredentials,
  type DeliverableEvent,
  eventTooOld,
  webhookCredentialsSchema,
  webhookName,
  webhookSettingsSchema,
} from '@leadback/domain';
import { checkedRequest, defaultPorts, type EgressOptions, type ProblemCode, resolveHost } from '../webhook-address.ts';
import { z } from 'zod';
import {
  type PlatformResponse,
  type Codes,
  type Remedy,
  type Words,
  isRemedy,
  type HttpResponse,
  createRequest,
  type MakeRequest,
  type Reply,
  secondMs,
  dayMs,
  judgeReply,
  redaction,
} from '../exchange.ts';
import { type Prepared, type Platform, notSupported } from '../definition.ts';

// the operator's command line alone says them: the console has its own texts for webhooks
const inEnglish = (words: string): Words => ({ en: words, es: words, pt: words });

const gone: Remedy = {
  words: inEnglish(
    'The receiver responded with 410 Gone, so the webhook was switched off. The partner resumes it when it is back.',
  ),
  change: [],
};
const failing: Remedy = {
  words: inEnglish(
    'The receiver has accepted nothing for three days. `delivery list` and `delivery show` tell how it responded. The partner fixes it.',
  ),
  change: [],
};
const unreadable: Remedy = {
  words: inEnglish(
    'The stored URL or secret cannot be read, so nothing was sent. Is the SECRETS_KEY of the worker the one that it was encrypted with? Otherwise the partner deletes the webhook and registers it again.',
  ),
  change: [],
};
const table: Codes['table'] = {
  [webhookPauses.gone]: gone,
  [webhookPauses.failing]: failing,
  [webhookPauses.unreadable]: unreadable,
};

/** Why Leadback pauses a webhook, and how it works again. */
const webhookCodes: Codes = {
  table,
  meaningOf: (reason) => table[reason],
  otherRemedy: {
    words: inEnglish('The partner or an operator has paused the webhook, or what is stored of it cannot be used.'),
    change: [],
  },
};

/**
 * Any 2xx is a delivery. 410 switches the webhook off. All else is retried, also other 4xx: they are errors of a receiver
 * that its developers fix within days, and not of the event.
 */
const judgeWebhookResponse = (_body: unknown, { status }: HttpResponse): Outcome => {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'refused', reason: webhookPauses.gone };
  const isRedirect = status >= 300 && status < 400;
  return { kind: 'unavailable', reason: `HTTP ${status}${isRedirect ? ': redirects are not followed' : ''}` };
};

const signatureOf = (secret: string, content: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

interface Signed {
  readonly id: string;
  readonly body: string;
  /** When it is sent. */
  readonly nowMs: number;
}

/**
 * The headers of Standard Webhooks. For 24 hours after a rotation there are signatures of the new and of each earlier
 * secret, so that the receiver can change its own at any time.
 */
export const signedHeaders = (
  { secret, earlier = [] }: WebhookCredentials,
  { id, body, nowMs }: Signed,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1000));
  const valid = earlier.filter(({ until }) => nowMs < Date.parse(until));
  const signatures = [secret, ...valid.map((one) => one.secret)].map((one) =>
    signatureOf(one, `${id}.${timestamp}.${body}`),
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
};

export interface WebhookTuning extends Partial<EgressOptions> {
  /** PEM: trusted instead of the usual certificate authorities. */
  readonly certificateAuthority?: string | undefined;
  /** Default: DNS. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  readonly now?: () => number;
  readonly requestTimeoutMs?: number;
}

/** Sends an event as it was prepared. Never throws. */
type SendWebhook = (
  url: string,
  credentials: WebhookCredentials,
  message: { readonly id: string; readonly body: string },
) => Promise<PlatformResponse>;

// One word for all that happens in the network: which failure it was, or how long it took, would tell the partner what is
// at an address. Only what is refused before there is a connection keeps its code.
const refusedBefore: ReadonlySet<string> = new Set<ProblemCode>([
  'URL_INVALID',
  'URL_HAS_CREDENTIALS',
  'PRIVATE_ADDRESS',
  'HTTPS_REQUIRED',
  'PORT_NOT_ALLOWED',
]);

const requested = async (request: MakeRequest, content: Parameters<MakeRequest>[1]): Promise<Reply> => {
  const reply = await request('POST', content);
  if (reply.kind === 'answered' || refusedBefore.has(reply.code)) return reply;
  return { kind: 'unreachable', code: 'unreachable' };
};

/**
 * Every attempt resolves the host name again, checks all its addresses, and connects to one that it has checked. Each has
 * a connection of its own: an open one would be used past the check.
 */
const webhookSender = ({
  allowLoopback = false,
  ports = defaultPorts,
  certificateAuthority,
  resolve = resolveHost,
  now = Date.now,
  requestTimeoutMs: timeoutMs = 10 * secondMs,
}: WebhookTuning = {}): SendWebhook => {
  // the response is read for the log alone
  const direct = createRequest({ keepAlive: false, bodyBytesRead: 65_536, certificateAuthority });
  const request = checkedRequest(direct, { allowLoopback, ports, resolve });
  return async (url, credentials, { id, body }) => {
    const headers = { 'content-type': 'application/json', ...signedHeaders(credentials, { id, body, nowMs: now() }) };
    const reply = await requested(request, { url, headers, body, timeoutMs });
    const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: '', search: '' };
    return judgeReply(reply, {
      judge: judgeWebhookResponse,
      redact: redaction(credentials, url, pathname, search),
      nowMs: now(),
    });
  };
};

/** Where deliveries go: what the worker and the operator need of a platform or of webhooks. */
export type Destination = Pick<Platform, 'name' | 'title' | 'limits' | 'codes' | 'remedyFor' | 'access'>;

// as long as the log of a webhook is kept; one that was paused for long is not told of what nobody remembers
const eventAgeMaxMs = 30 * dayMs;

const messageSchema = z.object({ id: z.string(), body: z.string() });

const prepare = (event: DeliverableEvent, atMs: number): Prepared => {
  if (event.kind !== 'webhook') return notSupported;
  const { eventId: id, type, occurredAt, data } = event;
  if (atMs - occurredAt.getTime() > eventAgeMaxMs) return { kind: 'skipped', reason: eventTooOld };
  const body = JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
  return { kind: 'event', event: { id, body }, keys: 0 };
};

const checkMessage = (nowMs: number) => {
  const [type, timestamp] = ['webhook.test', new Date(nowMs).toISOString()] as const;
  return { id: `check_${randomUUID().replaceAll('-', '')}`, body: JSON.stringify({ type, timestamp, data: {} }) };
};

/**
 * Webhooks of partners, as Standard Webhooks describe them: https://www.standardwebhooks.com. One event per request, and
 * few requests at a time: the receivers are shops.
 */
export const webhookDestination = (tuning: WebhookTuning): Destination => {
  const { now = Date.now } = tuning;
  const send = webhookSender(tuning);
  return {
    name: webhookName,
    title: 'Webhook',
    limits: { eventsMax: { live: 1, test: 1 }, requestsMax: 4, requestsMaxOfAccount: 8, eventAgeMaxMs },
    codes: webhookCodes,
    remedyFor: (reason) => {
      const meaning = webhookCodes.meaningOf(reason);
      return isRemedy(meaning) ? meaning : webhookCodes.otherRemedy;
    },
    access: (settings, stored) => {
      const { url } = webhookSettingsSchema.parse(settings);
      const credentials = webhookCredentialsSchema.parse(stored);
      return {
        prepare,
        send: ([event]) => send(url, credentials, messageSchema.parse(event)),
        check: () => send(url, credentials, checkMessage(now())),
      };
    },
  };
};
