import type {
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
  PersonToAllow,
  RegisteredAdjustment,
  RegisteredClient,
  RotatedSecret,
  SentDelivery,
  Webhook,
  WebhookChanges,
  WebhookDeliveryFilter,
  WebhookDeliveryPage,
  WebhookInput,
  WebhookList,
} from './api-types.ts';
import type { ApiReply, ApiRequest } from './attempt.ts';
import { sendInBatches } from './batches.ts';
import type { BatchOptions, CallOptions, RegisterOptions } from './call-options.ts';
import { looksLikeLeadReference } from './lead-reference.ts';
import { eachItem } from './pages.ts';
import { type ConversionResult, registeredConversion } from './registered-conversion.ts';
import { bodyOf } from './reply.ts';
import { sender, type Send } from './sender.ts';
import { type LeadbackOptions, parseSettings } from './settings.ts';
import { verifyWebhook } from './webhook.ts';
import { randomKey } from './web-crypto.ts';

const webhookPath = (id: number) => `/webhook/${encodeURIComponent(id)}`;

/**
 * The API of one account and mode (live or test, as the key says). Every call retries by itself if there is no response
 * or a temporary error, and is safe to repeat. It rejects with a `LeadbackError` if the API refuses it, or after the
 * last retry.
 */
export class Leadback {
  readonly #send: Send;
  readonly verifyWebhook = verifyWebhook;
  readonly looksLikeLeadReference = looksLikeLeadReference;

  /** Throws a `TypeError` if an option is wrong, such as an empty key or a URL without its scheme. */
  constructor(options: LeadbackOptions) {
    this.#send = sender(parseSettings(options));
  }

  /** Confirms that the key is valid and active. */
  async checkKey(options?: CallOptions): Promise<KeyCheck> {
    return this.#read('/', undefined, options);
  }

  /**
   * Registers the person behind a lead reference. `isRepeated`: a client with this `externalReference` exists, and was not
   * changed.
   */
  async registerClient(
    input: ClientInput,
    options?: RegisterOptions,
  ): Promise<RegisteredClient & { readonly isRepeated: boolean }> {
    const reply = await this.#register('/client', input, options);
    return { ...bodyOf<RegisteredClient>(reply), isRepeated: reply.status === 200 };
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
    return registeredConversion(reply, Boolean(input.conversionExternalReference?.trim()));
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

  /** Changes the amount of a conversion to a new total (`restate`), or takes the conversion back (`retract`). */
  async adjustConversion(input: AdjustmentInput, options?: RegisterOptions): Promise<RegisteredAdjustment> {
    return bodyOf(await this.#register('/client/conversion/adjustment', input, options));
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
