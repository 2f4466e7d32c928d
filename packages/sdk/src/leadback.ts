import { errorCodeOf, LeadbackError, looksLikeLeadReference } from './leadback-error.ts';
import type {
  RegisteredConversion,
  AdjustmentInput,
  AllowedPerson,
  AskedErasure,
  Client,
  ClientBatch,
  ClientInput,
  Conversion,
  ConversionBatch,
  ConversionBatchItem,
  ConversionFilter,
  ConversionInput,
  ConversionPage,
  CreatedWebhook,
  DeletedWebhook,
  Erasure,
  ErasureInput,
  KeyCheck,
  LeadInput,
  PersonToAllow,
  RegisteredAdjustment,
  RegisteredClient,
  RegisteredLead,
  RotatedSecret,
  SentDelivery,
  Warning,
  WarningCode,
  Webhook,
  WebhookChanges,
  WebhookDeliveryFilter,
  WebhookDeliveryPage,
  WebhookInput,
  WebhookList,
} from './api-types.ts';
import { leadOfRequest, type VisitorRequest, waitingCookie } from './visitor-request.ts';
import { verifyWebhook } from './webhook.ts';
import { randomKey } from './web-crypto.ts';

export interface LeadbackOptions {
  /** Your API key (`lb_…`), for example from an environment variable. Never ship it in a browser or an app. */
  readonly apiKey: string;
  /** URL of the API with `/api/v1`. */
  readonly baseUrl: string;
  /** Longest duration of one attempt, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Retries after the first attempt. Default: 5. */
  readonly retriesMax?: number | undefined;
  /** Replaces the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

interface Settings {
  readonly apiKey: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly fetch: typeof globalThis.fetch;
}

const isVisibleAscii = (text: string) => /^[\x21-\x7e]+$/.test(text);

// a key with a line break would be quoted in the error of `fetch`
const parseApiKey = (apiKey: unknown): string => {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (key === '') throw new TypeError('apiKey: must not be empty');
  if (!isVisibleAscii(key)) throw new TypeError('apiKey: expected visible ASCII characters without spaces');
  return key;
};

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

const parseBaseUrl = (baseUrl: unknown): string => {
  const url = parseUrl(String(baseUrl));
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl: expected a URL with its scheme, such as https://api.example.com/api/v1');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl: must not contain a user or password');
  return (url.origin + url.pathname).replace(/\/+$/, '');
};

const parseNumber = (name: string, value: number, smallest: number): number => {
  if (!Number.isFinite(value) || value < smallest) throw new TypeError(`${name}: expected a number from ${smallest}`);
  return value;
};

/** Throws a `TypeError` that names the option; it never quotes a value. */
const parseSettings = ({ apiKey, baseUrl, timeoutMs = 10_000, retriesMax = 5, fetch }: LeadbackOptions) => {
  const settings: Settings = {
    apiKey: parseApiKey(apiKey),
    baseUrl: parseBaseUrl(baseUrl),
    timeoutMs: parseNumber('timeoutMs', timeoutMs, 1),
    retriesMax: parseNumber('retriesMax', retriesMax, 0),
    // looked up for each request, so that what replaces it later is used
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
  };
  return settings;
};

interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** JSON. */
  readonly body?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An attempt took longer than `timeoutMs`. */
class AttemptTimeout extends Error {}

const urlOf = (baseUrl: string, { path, query = {} }: ApiRequest): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return `${baseUrl}${path}${text && `?${text}`}`;
};

/** One attempt, up to the end of its body. Rejects if there is no whole response, and as `signal` says if it is aborted. */
const attempt = async (settings: Settings, request: ApiRequest): Promise<ApiReply> => {
  const { method, body, idempotencyKey, signal } = request;
  const stop = new AbortController();
  const exchange = async (): Promise<ApiReply> => {
    const response = await settings.fetch(urlOf(settings.baseUrl, request), {
      method,
      headers: {
        'x-api-key': settings.apiKey,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body }),
      // a redirect would send the key to another host
      redirect: 'manual',
      signal: stop.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  // not every `fetch` heeds its signal
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  const onAbort = () => stop.abort(signal?.reason);
  const timer = setTimeout(() => stop.abort(new AttemptTimeout()), settings.timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([exchange(), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
};

/** Limits of one request of the API. */
const itemsMax = 500;
const bytesMax = 1024 * 1024;

const envelopeBytes = '{"items":[]}'.length;

/** Splits items into bodies that the API accepts, in order. An item that is too large alone gets a body of its own. */
const batchBodies = (items: readonly unknown[]): { readonly body: string; readonly start: number }[] => {
  const encoder = new TextEncoder();
  const bodies: { texts: string[]; start: number; bytes: number }[] = [];
  for (const [start, item] of items.entries()) {
    const text = JSON.stringify(item) ?? 'null';
    const bytes = encoder.encode(text).length + 1;
    const last = bodies.at(-1);
    if (last && last.texts.length < itemsMax && last.bytes + bytes <= bytesMax) {
      last.texts.push(text);
      last.bytes += bytes;
    } else {
      bodies.push({ texts: [text], start, bytes: envelopeBytes + bytes });
    }
  }
  return bodies.map(({ texts, start }) => ({ body: `{"items":[${texts.join()}]}`, start }));
};

interface BatchReply<Result extends { readonly index: number }, Outcome extends string> {
  readonly results: readonly Result[];
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly dryRun: boolean;
}

/** Sends items in as many requests as they need, one after the other, and joins the replies. */
const sendInBatches = async <Result extends { readonly index: number }, Outcome extends string>(
  items: readonly unknown[],
  none: BatchReply<Result, Outcome>,
  send: (body: string) => Promise<BatchReply<Result, Outcome>>,
): Promise<BatchReply<Result, Outcome>> => {
  const results: Result[] = [];
  const counts: Record<Outcome, number> = { ...none.counts };
  for (const { body, start } of batchBodies(items)) {
    const reply = await send(body);
    // indexes of the API count from the start of each request
    results.push(...reply.results.map((result) => ({ ...result, index: start + result.index })));
    for (const outcome in reply.counts) counts[outcome] = (counts[outcome] ?? 0) + reply.counts[outcome];
  }
  return { ...none, results, counts };
};

export interface CallOptions {
  /** Aborts the call and its retries; the call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface RegisterOptions extends CallOptions {
  /** Replaces the random `Idempotency-Key` of the call, for a retry by a later call. Valid for 24 hours. */
  readonly idempotencyKey?: string | undefined;
}

/** What `registerLeadOf` sends beside the request. */
export interface VisitorOptions extends Pick<LeadInput, 'consent' | 'page'> {
  /** How long the visitor may wait, in milliseconds. Default: 500. */
  readonly waitMaxMs?: number | undefined;
  /** Gets the error if the click could not be registered: log it. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Gets what was accepted, but not as sent, if there is anything: log it. */
  readonly onWarnings?: ((warnings: readonly Warning[]) => void) | undefined;
}

export interface BatchOptions extends CallOptions {
  /** Returns the outcomes and changes nothing. */
  readonly dryRun?: boolean | undefined;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Yields the items of all pages; requests a page when the one before is used up. A page may be empty. */
const eachItem = async function* <Item>(
  read: (after: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield* page.items;
    after = page.next ?? undefined;
  } while (after !== undefined);
};

const parse = (text: string): object | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
};

/** The error that a reply means. */
const errorOf = ({ status, headers, text }: ApiReply): LeadbackError => {
  const body = parse(text) ?? {};
  const message = 'message' in body ? String(body.message) : `unexpected response with status ${status}; check baseUrl`;
  const requestId = headers.get('x-request-id') ?? undefined;
  return new LeadbackError({ status, code: errorCodeOf(headers) ?? 'unexpected-response', message, requestId });
};

/** The body of a successful reply. Throws the error of any other reply. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller names the type of its endpoint
const bodyOf = <Body extends object>(reply: ApiReply): Body => {
  const body = reply.status >= 200 && reply.status < 300 ? parse(reply.text) : undefined;
  if (!body) throw errorOf(reply);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's tests hold its replies to these types
  return body as Body;
};

interface Warned {
  /** What was accepted, but not as sent: log it. Empty if there is nothing. */
  readonly warnings: readonly Warning[];
  /** Only with a test key: the warnings in words, and what platforms lack to match more conversions. */
  readonly advice?: readonly string[] | undefined;
}

/** A registered record, with warnings by their codes. */
type Accepted<Registered> = Omit<Registered, 'warnings'> & Warned;

/** A lead, or none if no ad or campaign brought the visitor. `isRepeated`: of a click that was registered before. */
export type LeadResult =
  | (Accepted<Extract<RegisteredLead, { readonly id: number }>> & { readonly isRepeated: boolean })
  | (Accepted<Exclude<RegisteredLead, { readonly id: number }>> & {
      readonly id?: undefined;
      readonly setCookie?: undefined;
      readonly isRepeated: false;
    });

/** `isRepeated`: a client with this `externalReference` exists; what was missing of it is filled in. */
export type ClientResult = Accepted<RegisteredClient> & { readonly isRepeated: boolean };

/** A new conversion, or, if `isRepeated`, the one that was registered before with the same reference or event id. */
export type ConversionResult =
  | (Accepted<RegisteredConversion> & { readonly isRepeated: false })
  | (Warned & { readonly id: number; readonly leadId?: undefined; readonly isRepeated: true });

/** A new adjustment, or, if `isRepeated`, one that changes nothing: the same was registered before, or the conversion was taken back before. */
export type AdjustmentResult =
  | (Accepted<RegisteredAdjustment> & { readonly isRepeated: false })
  | (Warned & { readonly id?: undefined; readonly conversionId?: number | undefined; readonly isRepeated: true });

/** The header `Leadback-Warning`: `rounded;field=amount, not-usable;field=email`. */
const warningsOf = ({ headers }: ApiReply): Warning[] =>
  (headers.get('leadback-warning') ?? '').split(',').flatMap((text) => {
    const [, code, field] = /^\s*([\w-]+);field=([\w.-]+)\s*$/.exec(text) ?? [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a closed list of the API; a newer one has more
    return code === undefined || field === undefined ? [] : { code: code as WarningCode, field };
  });

/** The body of a successful reply, with the warnings of its header. Throws the error of any other reply. */
const acceptedOf = <Registered extends { readonly warnings?: readonly string[] | undefined }>(
  reply: ApiReply,
): Accepted<Registered> => {
  const { warnings: advice, ...registered } = bodyOf<Registered>(reply);
  return { ...registered, warnings: warningsOf(reply), ...(advice && { advice }) };
};

const registeredLead = (reply: ApiReply): LeadResult => {
  const lead = bodyOf<RegisteredLead>(reply);
  if (lead.leadReference === null) return { ...acceptedOf<typeof lead>(reply), isRepeated: false };
  return { ...acceptedOf<typeof lead>(reply), isRepeated: reply.status === 200 };
};

/**
 * A conversion that is registered already is a success: a job that runs again must not fail. But a conversion with a
 * reference of its own was registered only if it is the reference that is repeated: if the event id belongs to another sale, or the sale
 * was registered with another amount, currency or client (`conversion-differs`), this throws.
 */
const registeredConversion = (reply: ApiReply, hasOwnReference: boolean): ConversionResult => {
  if (errorCodeOf(reply.headers) !== 'conversion-repeated')
    return { ...acceptedOf<RegisteredConversion>(reply), isRepeated: false };
  const error = errorOf(reply);
  const id = Number(reply.headers.get('leadback-conversion-id') ?? Number.NaN);
  const isSameSale = !hasOwnReference || reply.headers.get('leadback-repeated-field') === 'conversionExternalReference';
  if (Number.isNaN(id) || !isSameSale) throw error;
  return { id, warnings: [], isRepeated: true };
};

const isBlank = (reference: string | number | null | undefined): boolean => String(reference ?? '').trim() === '';

/**
 * An adjustment that is registered already is a success, too, and so is a conversion that is taken back twice. With the reference of
 * another adjustment, this throws.
 */
const registeredAdjustment = (
  reply: ApiReply,
  { kind, adjustmentExternalReference }: AdjustmentInput,
): AdjustmentResult => {
  const code = errorCodeOf(reply.headers);
  const isTakenBack = code === 'conversion-retracted' && kind === 'retract' && isBlank(adjustmentExternalReference);
  if (code !== 'adjustment-repeated' && !isTakenBack)
    return { ...acceptedOf<RegisteredAdjustment>(reply), isRepeated: false };
  const id = reply.headers.get('leadback-conversion-id');
  return { ...(id !== null && { conversionId: Number(id) }), warnings: [], isRepeated: true };
};

const firstPauseMs = 500;
const pauseMaxMs = 8_000;
/** A longer `Retry-After` is not waited for: the error arrives at once, and a later job can retry. */
const retryAfterMaxMs = 60_000;

const retryAfterMs = (header: string | null, now: number): number => {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
};

/**
 * The pause before a retry, in milliseconds: random between 0 and a limit that doubles, and later than `Retry-After` says.
 * Undefined if the caller should not wait that long.
 */
const retryPauseMs = (retriesDone: number, retryAfter: string | null, now = Date.now()): number | undefined => {
  const demandedMs = retryAfterMs(retryAfter, now);
  if (demandedMs > retryAfterMaxMs) return undefined;
  const spreadMs = demandedMs > 0 ? firstPauseMs : Math.min(pauseMaxMs, firstPauseMs * 2 ** retriesDone);
  return demandedMs + Math.random() * spreadMs;
};

/** Waits; rejects as `signal` says if it is aborted. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Resolves to the last reply, whatever its status. Rejects if there is none, or if `signal` is aborted. */
type Send = (request: ApiRequest) => Promise<ApiReply>;

const isTemporary = ({ status, headers }: ApiReply) =>
  status === 408 || status === 429 || status >= 500 || errorCodeOf(headers) === 'idempotency-in-progress';

const noReply = (error: unknown, { timeoutMs, apiKey }: Settings): LeadbackError => {
  if (error instanceof AttemptTimeout)
    return new LeadbackError({ code: 'timeout', message: `no response within ${timeoutMs} ms` });
  // `fetch failed` alone does not say why
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(apiKey, '…');
  return new LeadbackError({ code: 'no-response', message: `no response: ${reason}` });
};

/** The only place that retries: the same request with the same idempotency key, until it gets a lasting reply. */
const sender =
  (settings: Settings): Send =>
  async (request) => {
    const { signal } = request;
    for (let retries = 0; ; retries += 1) {
      signal?.throwIfAborted();
      const reply = await attempt(settings, request).catch((error: unknown) => {
        signal?.throwIfAborted();
        return noReply(error, settings);
      });
      const isFailed = reply instanceof LeadbackError;
      const pauseMs =
        retries < settings.retriesMax && (isFailed || isTemporary(reply))
          ? retryPauseMs(retries, isFailed ? null : reply.headers.get('retry-after'))
          : undefined;
      if (pauseMs === undefined) {
        if (isFailed) throw reply;
        return reply;
      }
      await pause(pauseMs, signal);
    }
  };

/** After a failure, visitors do not wait for so long. */
const downMs = 5_000;

/** Whether a later request may succeed. */
const mayPass = (error: unknown): boolean =>
  error instanceof LeadbackError && (error.status === 0 || error.status === 429 || error.status >= 500);

const webhookPath = (id: number) => `/webhook/${encodeURIComponent(id)}`;

/**
 * The API of one account and mode (live or test, as the key says). Every call retries by itself if there is no response
 * or a temporary error, and is safe to repeat. It rejects with a `LeadbackError` if the API refuses it, or after the
 * last retry.
 */
export class Leadback {
  readonly #send: Send;
  readonly #settings: Settings;
  /** Until when no visitor waits. */
  #downUntilMs = 0;
  readonly verifyWebhook = verifyWebhook;
  readonly looksLikeLeadReference = looksLikeLeadReference;

  /** Throws a `TypeError` if an option is wrong, such as an empty key or a URL without its scheme. */
  constructor(options: LeadbackOptions) {
    this.#settings = parseSettings(options);
    this.#send = sender(this.#settings);
  }

  /** Confirms that the key is valid and active. */
  async checkKey(options?: CallOptions): Promise<KeyCheck> {
    return this.#read('/', undefined, options);
  }

  /**
   * Registers a click that arrives at your own page. `leadReference` is null if the URL has no click id and no `utm_…` parameter;
   * else set `setCookie` as the header `Set-Cookie` of your response.
   */
  async registerLead(input: LeadInput, options?: RegisterOptions): Promise<LeadResult> {
    return registeredLead(await this.#register('/lead', input, options));
  }

  /**
   * For Express: registers the click of a page view, and returns the value for `response.append('Set-Cookie', …)`; undefined if no ad
   * or campaign brought the visitor. Never rejects, so that your page is shown in any case. While Leadback does not respond, the
   * browser keeps the click, and the visitor's next page view registers it; after a failure, no visitor waits for some seconds. Needs
   * the setting `trust proxy` if there is a proxy.
   */
  async registerLeadOf(
    request: VisitorRequest,
    { waitMaxMs = 500, onError, onWarnings, ...more }: VisitorOptions = {},
  ): Promise<string | undefined> {
    let waiting: string | undefined;
    try {
      const found = leadOfRequest(request);
      if (found === undefined) return undefined;
      const lead = { ...found, ...more };
      waiting = waitingCookie(lead);
      if (Date.now() < this.#downUntilMs) return waiting;
      const send = sender({ ...this.#settings, timeoutMs: waitMaxMs, retriesMax: 0 });
      const { setCookie, warnings } = registeredLead(
        await send({ method: 'POST', path: '/lead', body: JSON.stringify(lead), idempotencyKey: await randomKey() }),
      );
      if (warnings.length > 0) onWarnings?.(warnings);
      return setCookie;
    } catch (error) {
      const isTemporaryOne = mayPass(error);
      if (isTemporaryOne) this.#downUntilMs = Date.now() + downMs;
      try {
        onError?.(error);
      } catch {
        // the page is shown whatever the advertiser's log does
      }
      return isTemporaryOne ? waiting : undefined;
    }
  }

  /**
   * Registers the person behind a lead reference. `isRepeated`: a client with this `externalReference` exists; what was
   * missing of it is filled in.
   */
  async registerClient(input: ClientInput, options?: RegisterOptions): Promise<ClientResult> {
    const reply = await this.#register('/client', input, options);
    return { ...acceptedOf<RegisteredClient>(reply), isRepeated: reply.status === 200 };
  }

  /**
   * Registers any number of clients, in batches. Look at `outcome` of each result: an item that is refused does not stop
   * the others. If a batch fails, those before it are registered: call again with the same items.
   */
  async registerClients(items: readonly ClientInput[], options: BatchOptions = {}): Promise<ClientBatch> {
    const none = { results: [], counts: { created: 0, existing: 0, refused: 0 }, dryRun: options.dryRun ?? false };
    return sendInBatches(items, none, async (body) => {
      const idempotencyKey = await randomKey();
      return bodyOf<ClientBatch>(await this.#postBatch('/client/batch', body, options, idempotencyKey));
    });
  }

  /**
   * Registers a sale and reports it to your platforms. `isRepeated`: it was registered before, which is a success, too.
   * Send your order number as `conversionExternalReference`: only then is a later call for the same sale recognized.
   */
  async registerConversion(input: ConversionInput, options?: RegisterOptions): Promise<ConversionResult> {
    const reply = await this.#register('/client/conversion', input, options);
    return registeredConversion(reply, !isBlank(input.conversionExternalReference));
  }

  /** Registers any number of conversions, in batches, as `registerClients` does. */
  async registerConversions(
    items: readonly ConversionBatchItem[],
    options: BatchOptions = {},
  ): Promise<ConversionBatch> {
    const counts = { created: 0, repeated: 0, differs: 0, refused: 0 };
    const none = { results: [], counts, dryRun: options.dryRun ?? false };
    return sendInBatches(items, none, async (body) =>
      bodyOf<ConversionBatch>(await this.#postBatch('/client/conversion/batch', body, options)),
    );
  }

  /**
   * Changes the amount of a conversion to a new total (`restate`), or takes the conversion back (`retract`). `isRepeated`: that was
   * registered before, which is a success, too.
   */
  async adjustConversion(input: AdjustmentInput, options?: RegisterOptions): Promise<AdjustmentResult> {
    return registeredAdjustment(await this.#register('/client/conversion/adjustment', input, options), input);
  }

  async getClient(id: number, options?: CallOptions): Promise<Client> {
    return this.#read(`/client/${encodeURIComponent(id)}`, undefined, options);
  }

  /**
   * Erases the personal data of a person for good, within seconds. Name the person by exactly one field. Keep the `id`:
   * `getErasure` has the receipt.
   */
  async eraseClient(input: ErasureInput, options?: RegisterOptions): Promise<AskedErasure> {
    return bodyOf(await this.#register('/client/erasure', input, options));
  }

  /** Lets the account register an erased person again (`suppressed`). Name the person by exactly one field. */
  async allowClient(input: PersonToAllow, options?: CallOptions): Promise<AllowedPerson> {
    return this.#change('POST', '/client/allow', input, options);
  }

  /** How far an erasure is, and its signed receipt once its `state` is `done`. */
  async getErasure(id: string, options?: CallOptions): Promise<Erasure> {
    return this.#read(`/client/erasure/${encodeURIComponent(id)}`, undefined, options);
  }

  /** A conversion, with its delivery to each platform. */
  async getConversion(id: number, options?: CallOptions): Promise<Conversion> {
    return this.#read(`/client/conversion/${encodeURIComponent(id)}`, undefined, options);
  }

  /** As `getConversion`, by your own `conversionExternalReference`. */
  async findConversion(reference: string, options?: CallOptions): Promise<Conversion> {
    return this.#read('/client/conversion', { externalReference: reference }, options);
  }

  /** Conversions, newest first: `for await (const conversion of leadback.listConversions({ state: 'failed' }))`. */
  listConversions(filter: Omit<ConversionFilter, 'after'> = {}, options?: CallOptions): AsyncIterable<Conversion> {
    return eachItem((after) => this.#read<ConversionPage>('/client/conversions', { ...filter, after }, options));
  }

  /**
   * Registers a webhook. Store the `secret`: it is shown only here. If a webhook has the URL already, this rejects with
   * `invalid-fields`, so a call that is repeated makes no second one.
   */
  async createWebhook(input: WebhookInput, options?: CallOptions): Promise<CreatedWebhook> {
    return this.#change('POST', '/webhook', input, options);
  }

  async listWebhooks(options?: CallOptions): Promise<WebhookList['items']> {
    return (await this.#read<WebhookList>('/webhook', undefined, options)).items;
  }

  /** Changes the URL or the events of a webhook, pauses it (`state: 'paused'`) or resumes it (`state: 'active'`). */
  async changeWebhook(id: number, changes: WebhookChanges, options?: CallOptions): Promise<Webhook> {
    return this.#change('PATCH', webhookPath(id), changes, options);
  }

  /** Deliveries that wait are never sent. */
  async deleteWebhook(id: number, options?: CallOptions): Promise<DeletedWebhook> {
    return this.#change('DELETE', webhookPath(id), undefined, options);
  }

  /** Returns a new secret. The earlier one signs as well for 24 hours. */
  async rotateWebhookSecret(id: number, options?: CallOptions): Promise<RotatedSecret> {
    return this.#change('POST', `${webhookPath(id)}/secret`, undefined, options);
  }

  /** Sends an event `webhook.test` within some seconds. */
  async testWebhook(id: number, options?: CallOptions): Promise<SentDelivery> {
    return this.#change('POST', `${webhookPath(id)}/test`, undefined, options);
  }

  /** Deliveries of a webhook with their attempts, newest first. */
  listWebhookDeliveries(
    id: number,
    filter: Omit<WebhookDeliveryFilter, 'after'> = {},
    options?: CallOptions,
  ): AsyncIterable<WebhookDeliveryPage['items'][number]> {
    const path = `${webhookPath(id)}/deliveries`;
    return eachItem((after) => this.#read<WebhookDeliveryPage>(path, { ...filter, after }, options));
  }

  /** Sends the same event again, with the same `webhook-id`, also if it was accepted. */
  async retryWebhookDelivery(id: number, deliveryId: number, options?: CallOptions): Promise<SentDelivery> {
    const path = `${webhookPath(id)}/deliveries/${encodeURIComponent(deliveryId)}/retry`;
    return this.#change('POST', path, undefined, options);
  }

  async #read<Body extends object>(path: string, query: ApiRequest['query'], options: CallOptions = {}): Promise<Body> {
    return bodyOf<Body>(await this.#send({ method: 'GET', path, query, signal: options.signal }));
  }

  async #change<Body extends object>(
    method: Exclude<ApiRequest['method'], 'GET'>,
    path: string,
    input: object | undefined,
    { signal }: CallOptions = {},
  ): Promise<Body> {
    return bodyOf<Body>(await this.#send({ method, path, body: input && JSON.stringify(input), signal }));
  }

  async #register(path: string, input: object, { idempotencyKey, signal }: RegisterOptions = {}): Promise<ApiReply> {
    const key = idempotencyKey ?? (await randomKey());
    return this.#send({ method: 'POST', path, body: JSON.stringify(input), idempotencyKey: key, signal });
  }

  #postBatch(path: string, body: string, options: BatchOptions, idempotencyKey?: string): Promise<ApiReply> {
    const query = { dryRun: options.dryRun };
    return this.#send({ method: 'POST', path, query, body, idempotencyKey, signal: options.signal });
  }
}
