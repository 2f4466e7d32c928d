// Written by `node scripts/run.mjs sdk-types` from the schemas of the API. Do not edit.

/** A value of the header `Leadback-Error`; `/docs` explains each. */
export type ApiErrorCode =
  | 'key-missing'
  | 'key-invalid'
  | 'key-expired'
  | 'account-suspended'
  | 'scope-missing'
  | 'signature-wrong'
  | 'not-found'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'body-too-large'
  | 'invalid-json'
  | 'invalid-fields'
  | 'currency-not-allowed'
  | 'lead-unknown'
  | 'lead-pending'
  | 'suppressed'
  | 'client-unknown'
  | 'conversion-repeated'
  | 'conversion-differs'
  | 'conversion-unknown'
  | 'conversion-retracted'
  | 'adjustment-repeated'
  | 'idempotency-key-reused'
  | 'idempotency-in-progress'
  | 'rate-limited'
  | 'overloaded'
  | 'unavailable'
  | 'internal';

/** A code of the header `Leadback-Warning`; `/docs` explains each. */
export type WarningCode =
  | 'unknown-field'
  | 'rounded'
  | 'not-usable'
  | 'kept-first'
  | 'two-clients'
  | 'no-external-reference'
  | 'lead-ignored';

export interface Warning {
  readonly code: WarningCode;
  /** The name of the field. */
  readonly field: string;
}

export interface Conversion {
  readonly id: number;
  readonly clientId: number;
  /** The click that counts: one of `clicks`. */
  readonly leadId: number;
  /** The clicks of the client, oldest first. */
  readonly clicks: readonly {
    readonly leadId: number;
    readonly leadReference: string;
    readonly clickedAt: string;
    /** The slug of the landing page. */
    readonly page: string;
    readonly campaign: string | null;
    /** Whether the metrics count the conversion for this click, or a platform was told of it. Each platform is told of the newest click before the sale that has its click id. */
    readonly counted: boolean;
  }[];
  /** The total now, after all adjustments. */
  readonly amount: number;
  readonly originalAmount: number;
  /** The part of `originalAmount` that you earn, if you sent it. */
  readonly netAmount?: number | undefined;
  /** What was sold, if you sent it and the person was not erased. */
  readonly items?:
    | readonly {
        readonly id?: string | undefined;
        readonly name?: string | undefined;
        readonly quantity?: number | undefined;
        readonly price?: number | undefined;
      }[]
    | undefined;
  /** A code of ISO 4217. */
  readonly currency: string;
  readonly conversionExternalReference: string | null;
  /** The event id that the platforms receive. */
  readonly eventId: string;
  /** Your name for the event, if you sent one. */
  readonly eventName?: string | undefined;
  readonly occurredAt: string;
  /** Registered with a test key. */
  readonly isTest: boolean;
  readonly createdAt: string;
  /** One delivery per platform connection of your account. */
  readonly deliveries: readonly {
    readonly connection: {
      readonly id: number;
      /** What your operator calls it; otherwise where it leads at the platform. */
      readonly label: string;
    };
    readonly platform: 'meta' | 'google' | 'tiktok' | 'linkedin' | 'microsoft';
    /** `pending`: not delivered yet. `delivered`: the platform accepted the event. `failed`: the platform rejected the event, or was unavailable for three days. `skipped`: nothing to send, see `reason`. */
    readonly state: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** Reason for the state, if there is one. */
    readonly reason: string | null;
    readonly attempts: number;
    /** Earliest time of the next attempt. `null` if there is none, while it is being sent, or if an operator must fix or resume the connection first. */
    readonly nextAttemptAt: string | null;
    /** Time at which it was delivered, failed or skipped. */
    readonly closedAt: string | null;
    /** What the platform could not be told in full, and what it reported about the request after it accepted it. */
    readonly note: string | null;
    /** Google reports later what it used. `true`: it used this event. `false`: it did not, or did not say so of this event; `reason` or `note` says why. `null`: it has not reported yet, or the platform never does. */
    readonly confirmed: boolean | null;
  }[];
  /** Oldest first. */
  readonly adjustments: readonly {
    readonly id: number;
    readonly kind: 'restate' | 'retract';
    /** The new total; 0 if it is retracted. */
    readonly amount: number;
    readonly occurredAt: string;
    readonly adjustmentExternalReference: string | null;
    readonly createdAt: string;
    /** One delivery per delivery that the conversion had then. Empty if it had none, or if its deliveries were deleted before: no platform is told. */
    readonly deliveries: readonly {
      readonly connection: {
        readonly id: number;
        /** What your operator calls it; otherwise where it leads at the platform. */
        readonly label: string;
      };
      readonly platform: 'meta' | 'google' | 'tiktok' | 'linkedin' | 'microsoft';
      /** `pending`: not delivered yet. `delivered`: the platform accepted the event. `failed`: the platform rejected the event, or was unavailable for three days. `skipped`: nothing to send, see `reason`. */
      readonly state: 'pending' | 'delivered' | 'failed' | 'skipped';
      /** Reason for the state, if there is one. */
      readonly reason: string | null;
      readonly attempts: number;
      /** Earliest time of the next attempt. `null` if there is none, while it is being sent, or if an operator must fix or resume the connection first. */
      readonly nextAttemptAt: string | null;
      /** Time at which it was delivered, failed or skipped. */
      readonly closedAt: string | null;
      /** What the platform could not be told in full, and what it reported about the request after it accepted it. */
      readonly note: string | null;
      /** Google reports later what it used. `true`: it used this event. `false`: it did not, or did not say so of this event; `reason` or `note` says why. `null`: it has not reported yet, or the platform never does. */
      readonly confirmed: boolean | null;
    }[];
  }[];
}

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly events: readonly (
    | 'delivery.delivered'
    | 'delivery.failed'
    | 'delivery.skipped'
    | 'connection.needs_attention'
    | 'connection.recovered'
    | 'import.finished'
    | 'reconciliation.finished'
    | 'page.target_changed'
    | 'domain.state_changed'
  )[];
  readonly state: 'active' | 'paused';
  /** Whether the URL has answered a signed `webhook.verification` with 2xx. One is sent right after the webhook is registered or gets another URL, with retries; events wait until then. */
  readonly isVerified: boolean;
  /** Why it is paused: `gone`: your endpoint responded with 410. `failing`: it accepted nothing for three days. `unreadable`: for three days its stored URL or secret could not be read, so nothing was sent. `unverified: …`: why the last verification has failed. `null`: you or your operator paused it, or it is active. */
  readonly reason: string | null;
  readonly createdAt: string;
}

export interface KeyCheck {
  readonly message: string;
}

export interface LeadInput {
  /** The whole URL with which the visitor arrived at your page. Of its query, only click ids and `utm_…` parameters are kept. */
  readonly url: string;
  /** The header `Referer` of the visitor. It is kept without its query. */
  readonly referrer?: string | null | undefined;
  /** The visitor's IP address, not that of your server or proxy. */
  readonly ip?: string | null | undefined;
  /** The header `User-Agent` of the visitor. Crawlers and link previews make no lead. */
  readonly userAgent?: string | null | undefined;
  /** The cookies of pixels by their names (`_fbp`, `_fbc`, `_ttp`, `_epik`, `_scid`, `_rdt_uuid`), and `leadback`: with it, a reload is the same lead from any network. Send no others: they are ignored. */
  readonly cookies?: Readonly<Record<string, unknown>> | null | undefined;
  /** When the visitor arrived. Default: now. */
  readonly occurredAt?: string | null | undefined;
  /** What the visitor told you. Where it is denied, platforms are told nothing. What you leave out counts as not asked. */
  readonly consent?:
    | {
        /** Whether data of the person may be sent to advertising platforms. */
        readonly adUserData?: 'granted' | 'denied' | null | undefined;
        /** Whether platforms may use it for personalised advertising. */
        readonly adPersonalization?: 'granted' | 'denied' | null | undefined;
      }
    | null
    | undefined;
  /** Whether the visitor sent the header `Sec-GPC: 1`. */
  readonly globalPrivacyControl?: boolean | null | undefined;
  /** The slug of the page of your account that counts the lead. Default: a page for all leads of your server that name none. */
  readonly page?: string | null | undefined;
}

export type RegisteredLead =
  | {
      /** The id of the lead. */
      readonly id: number;
      /** Send it with the client or the sale, as you send the value of `serviceId`. */
      readonly leadReference: string;
      /** The value of the header `Set-Cookie` for your response to the visitor. The cookie `leadback` keeps the reference on your domain as long as the click counts, 90 days. You may send the cookie's value as `leadReference`. */
      readonly setCookie: string;
      /** Only with a test key: the warnings of `Leadback-Warning` in words, and what you can change so that platforms match more conversions. Empty if there is nothing. */
      readonly warnings?: readonly string[] | undefined;
    }
  | {
      /** No lead was recorded. */
      readonly leadReference: null;
      /** Only with a test key: the warnings of `Leadback-Warning` in words, and what you can change so that platforms match more conversions. Empty if there is nothing. */
      readonly warnings?: readonly string[] | undefined;
    };

export interface ClientInput {
  /** The value of `serviceId` in the URL with which the visitor reached your page, unchanged. */
  readonly leadReference: string;
  /** Full name. */
  readonly name?: string | null | undefined;
  /** Email address. Conversions may identify the client by it; case and surrounding spaces do not matter. Of several addresses the first counts. A text that is no address is kept, but not used. */
  readonly email?: string | null | undefined;
  /** Phone number, with country code or in the national format of the country of your account. */
  readonly phoneNumber?: string | number | null | undefined;
  /** Your own identifier for the client. Unique among your clients of one mode (live or test); conversions may identify the client by it. */
  readonly externalReference?: string | number | null | undefined;
  /** What the person told you, for all that was not sent yet. The newest word counts, yours or that of your landing page; send it again with the `externalReference` when it changes. What you leave out changes nothing. */
  readonly consent?:
    | {
        /** Whether data of the person may be sent to advertising platforms. */
        readonly adUserData?: 'granted' | 'denied' | null | undefined;
        /** Whether platforms may use it for personalised advertising. */
        readonly adPersonalization?: 'granted' | 'denied' | null | undefined;
      }
    | null
    | undefined;
}

export interface RegisteredClient {
  /** The id of the client. */
  readonly id: number;
  /** Only with a test key: the warnings of `Leadback-Warning` in words, and what you can change so that platforms match more conversions. Empty if there is nothing. */
  readonly warnings?: readonly string[] | undefined;
}

export interface ClientBatch {
  /** One result per item, in the same order. */
  readonly results: readonly {
    /** Position of the item in the request, from 0. */
    readonly index: number;
    /** `created`: a new client. `existing`: the client that already has this `externalReference`, with the click and the contact data that were new. `refused`: see `message`. */
    readonly outcome: 'created' | 'existing' | 'refused';
    readonly id?: number | undefined;
    readonly leadId?: number | undefined;
    /** Only if `refused`: what `Leadback-Error` would be in response to a single request. */
    readonly code?: ApiErrorCode | undefined;
    /** Names the field and the problem. */
    readonly message?: string | undefined;
    /** What was accepted, but not as sent: what `Leadback-Warning` would be in response to a single request. Absent if there is nothing. */
    readonly warnings?: readonly Warning[] | undefined;
  }[];
  /** How many items have each outcome. */
  readonly counts: {
    readonly created: number;
    readonly existing: number;
    readonly refused: number;
  };
  readonly dryRun: boolean;
}

export interface ErasureInput {
  /** The `externalReference` of the client. */
  readonly clientExternalReference?: string | number | null | undefined;
  /** Everyone with this email, including visitors who only entered it on a landing page. */
  readonly email?: string | null | undefined;
  /** The lead, and all clients that were registered from it. */
  readonly leadReference?: string | null | undefined;
}

export interface AskedErasure {
  /** The id of the erasure. */
  readonly id: string;
}

export interface PersonToAllow {
  /** The id of the erasure that the refusal `suppressed` names. */
  readonly erasureId?: string | null | undefined;
  /** The email with which the person was erased. */
  readonly email?: string | null | undefined;
  /** The phone number with which the person was erased. */
  readonly phoneNumber?: string | null | undefined;
}

export interface AllowedPerson {
  /** The erasures whose person was suppressed until now; empty: none. */
  readonly erasureIds: readonly string[];
}

export interface Erasure {
  readonly id: string;
  /** `asked`: a visitor asked, and you decide, see `GET /client/erasure`. `lapsed`: you did not confirm it in time. `failed`: nothing was erased; ask for it again. */
  readonly state: 'pending' | 'asked' | 'done' | 'failed' | 'lapsed';
  readonly requestedAt: string;
  readonly finishedAt: string | null;
  /** JSON in a text, exactly as it was signed, without personal data: what was erased, what stays and why, which platforms had been told, and until when backups have it. */
  readonly receipt: string | null;
  /** Of `receipt`: Ed25519, in base64. */
  readonly signature: string | null;
  /** Which public key verifies it, of `/.well-known/leadback-receipts.json` on the host of your landing pages. */
  readonly keyId: string | null;
}

export interface ConversionInput {
  /** Value of the conversion, rounded half up to the minor unit of its currency: to the cent of USD and ARS. */
  readonly amount: number;
  /** A code of ISO 4217, upper case. Your account takes USD and ARS, or those that your operator has set. */
  readonly currency: string;
  /** Email address of the client. If several clients have it, the newest is used. */
  readonly email?: string | null | undefined;
  /** The `externalReference` of the client. Takes precedence over `email`. */
  readonly clientExternalReference?: string | number | null | undefined;
  /** The value of `serviceId` of the buyer, if you have not registered the client. It is then registered with the sale, with the `email` or `clientExternalReference`. A known client gets it as one more click. */
  readonly leadReference?: string | null | undefined;
  /** Full name of the buyer; only with `leadReference`. */
  readonly name?: string | null | undefined;
  /** Phone number of the buyer; only with `leadReference`. */
  readonly phoneNumber?: string | number | null | undefined;
  /** Your own identifier for the conversion, such as an order number. Registered only once. */
  readonly conversionExternalReference?: string | number | null | undefined;
  /** When the conversion occurred, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago. Each platform has its own age limit; an event that is too old for a platform is `skipped`. */
  readonly occurredAt?: string | null | undefined;
  /** The id that your pixel or tag sends for the same sale, so that platforms count it once. Default: your `conversionExternalReference`, otherwise a new id. If your account has a prefix for event ids, it is put in front. */
  readonly eventId?: string | null | undefined;
  /** Your own name for this kind of conversion, such as `subscription`, if the platforms should tell it from others. The operator sets what each platform calls it; a name without a setting counts as an ordinary conversion. */
  readonly eventName?: string | null | undefined;
  /** The part of `amount` that you earn, such as your margin: in its currency, rounded as it is. One that is larger than `amount` is ignored, with a warning. Platforms whose connection your operator has set to it are told this value instead. */
  readonly netAmount?: number | null | undefined;
  /** What was sold, at most 100 products. Platforms that have a field for it are told of those with an `id`. Erased with the person. */
  readonly items?:
    | readonly {
        /** The id of the product in your catalogue, as your feed for Google or Meta has it. */
        readonly id?: string | number | null | undefined;
        /** The name of the product. */
        readonly name?: string | null | undefined;
        /** How many; default 1. */
        readonly quantity?: number | null | undefined;
        /** Of one, in the currency of the sale; rounded half up to its minor unit. */
        readonly price?: number | null | undefined;
      }[]
    | null
    | undefined;
  /** What the buyer told you, for this sale and all that was not sent yet of the client; as in `POST /client`. Of a sale with `occurredAt`, a consent counts from then. */
  readonly consent?:
    | {
        /** Whether data of the person may be sent to advertising platforms. */
        readonly adUserData?: 'granted' | 'denied' | null | undefined;
        /** Whether platforms may use it for personalised advertising. */
        readonly adPersonalization?: 'granted' | 'denied' | null | undefined;
      }
    | null
    | undefined;
}

export interface RegisteredConversion {
  /** The id of the conversion. */
  readonly id: number;
  /** The click that counts: the newest of the client before the sale. */
  readonly leadId: number;
  /** Only with a test key: the warnings of `Leadback-Warning` in words, and what you can change so that platforms match more conversions. Empty if there is nothing. */
  readonly warnings?: readonly string[] | undefined;
}

export interface ConversionBatchItem {
  /** Value of the conversion, rounded half up to the minor unit of its currency: to the cent of USD and ARS. */
  readonly amount: number;
  /** A code of ISO 4217, upper case. Your account takes USD and ARS, or those that your operator has set. */
  readonly currency: string;
  /** Email address of the client. If several clients have it, the newest is used. */
  readonly email?: string | null | undefined;
  /** The `externalReference` of the client. Takes precedence over `email`. */
  readonly clientExternalReference?: string | number | null | undefined;
  /** The value of `serviceId` of the buyer, if you have not registered the client. It is then registered with the sale, with the `email` or `clientExternalReference`. A known client gets it as one more click. */
  readonly leadReference?: string | null | undefined;
  /** Full name of the buyer; only with `leadReference`. */
  readonly name?: string | null | undefined;
  /** Phone number of the buyer; only with `leadReference`. */
  readonly phoneNumber?: string | number | null | undefined;
  /** Your own identifier for the conversion, such as an order number. Registered only once. */
  readonly conversionExternalReference: string | number;
  /** When the conversion occurred, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago. Each platform has its own age limit; an event that is too old for a platform is `skipped`. */
  readonly occurredAt?: string | null | undefined;
  /** The id that your pixel or tag sends for the same sale, so that platforms count it once. Default: your `conversionExternalReference`, otherwise a new id. If your account has a prefix for event ids, it is put in front. */
  readonly eventId?: string | null | undefined;
  /** Your own name for this kind of conversion, such as `subscription`, if the platforms should tell it from others. The operator sets what each platform calls it; a name without a setting counts as an ordinary conversion. */
  readonly eventName?: string | null | undefined;
  /** The part of `amount` that you earn, such as your margin: in its currency, rounded as it is. One that is larger than `amount` is ignored, with a warning. Platforms whose connection your operator has set to it are told this value instead. */
  readonly netAmount?: number | null | undefined;
  /** What was sold, at most 100 products. Platforms that have a field for it are told of those with an `id`. Erased with the person. */
  readonly items?:
    | readonly {
        /** The id of the product in your catalogue, as your feed for Google or Meta has it. */
        readonly id?: string | number | null | undefined;
        /** The name of the product. */
        readonly name?: string | null | undefined;
        /** How many; default 1. */
        readonly quantity?: number | null | undefined;
        /** Of one, in the currency of the sale; rounded half up to its minor unit. */
        readonly price?: number | null | undefined;
      }[]
    | null
    | undefined;
  /** What the buyer told you, for this sale and all that was not sent yet of the client; as in `POST /client`. Of a sale with `occurredAt`, a consent counts from then. */
  readonly consent?:
    | {
        /** Whether data of the person may be sent to advertising platforms. */
        readonly adUserData?: 'granted' | 'denied' | null | undefined;
        /** Whether platforms may use it for personalised advertising. */
        readonly adPersonalization?: 'granted' | 'denied' | null | undefined;
      }
    | null
    | undefined;
}

export interface ConversionBatch {
  /** One result per item, in the same order. */
  readonly results: readonly {
    /** Position of the item in the request, from 0. */
    readonly index: number;
    /** `created`: a new conversion. `repeated`: the conversion with this `conversionExternalReference` is registered; `id` is its id. `differs`: it is registered with another amount, currency or client; nothing was changed. `refused`: see `message`. */
    readonly outcome: 'created' | 'repeated' | 'differs' | 'refused';
    readonly id?: number | undefined;
    readonly leadId?: number | undefined;
    /** Only if `refused`: what `Leadback-Error` would be in response to a single request. */
    readonly code?: ApiErrorCode | undefined;
    /** Names the field and the problem. */
    readonly message?: string | undefined;
    /** What was accepted, but not as sent: what `Leadback-Warning` would be in response to a single request. Absent if there is nothing. */
    readonly warnings?: readonly Warning[] | undefined;
  }[];
  /** How many items have each outcome. */
  readonly counts: {
    readonly created: number;
    readonly repeated: number;
    readonly differs: number;
    readonly refused: number;
  };
  readonly dryRun: boolean;
}

export interface AdjustmentInput {
  /** The id of the conversion. */
  readonly conversionId?: number | null | undefined;
  /** Your own identifier of the conversion. Needed without `conversionId`; with it, both must match. */
  readonly conversionExternalReference?: string | number | null | undefined;
  /** `restate`: the conversion has another total. `retract`: it is taken back: its total is 0, and it takes no more adjustments. */
  readonly kind: 'restate' | 'retract';
  /** With `restate`: the new total, never a difference. Not with `retract`. */
  readonly amount?: number | null | undefined;
  /** That of the conversion, if you send it: an adjustment does not change it. */
  readonly currency?: string | null | undefined;
  /** When it was adjusted, if not now: RFC 3339 with an offset. At most 5 minutes ahead and 400 days ago, and not before the conversion. */
  readonly occurredAt?: string | null | undefined;
  /** Your own identifier for the adjustment, such as the number of a credit note. Registered only once. */
  readonly adjustmentExternalReference?: string | number | null | undefined;
}

export interface RegisteredAdjustment {
  /** The id of the adjustment. */
  readonly id: number;
  /** The id of the conversion. */
  readonly conversionId: number;
  /** Only with a test key: the warnings of `Leadback-Warning` in words, and whether the new total may be in another unit. Empty if there is nothing. */
  readonly warnings?: readonly string[] | undefined;
}

export interface ConversionFilter {
  /** First day on which they occurred, in the time zone of your account. */
  readonly from?: string | undefined;
  /** Last day on which they occurred, in the time zone of your account. */
  readonly to?: string | undefined;
  /** Only conversions with a delivery to this platform. */
  readonly platform?: 'meta' | 'google' | 'tiktok' | 'linkedin' | 'microsoft' | undefined;
  /** Only conversions with a delivery in this state; with `platform`, a delivery to that platform. */
  readonly state?: 'pending' | 'delivered' | 'failed' | 'skipped' | undefined;
  /** Items per page: 1 to 200, by default 50. */
  readonly limit?: number | undefined;
  /** The `next` of the page before, with the same other parameters. */
  readonly after?: string | undefined;
}

export interface ConversionPage {
  readonly items: readonly Conversion[];
  /** Send it as `after` to get the next page; `null`: the end. */
  readonly next: string | null;
}

export interface Client {
  readonly id: number;
  readonly leadId: number;
  readonly leadReference: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly externalReference: string | null;
  readonly createdAt: string;
  /** Oldest first: the first one and the newest 100. */
  readonly clicks: readonly {
    readonly leadId: number;
    readonly leadReference: string;
    readonly clickedAt: string;
    /** The slug of the landing page. */
    readonly page: string;
    readonly campaign: string | null;
  }[];
}

export interface WebhookInput {
  /** Where events are sent: https on port 443 or 8443, a public host, no user name or password. Redirects are not followed. */
  readonly url: string;
  /** What it is told of. */
  readonly events: readonly (
    | 'delivery.delivered'
    | 'delivery.failed'
    | 'delivery.skipped'
    | 'connection.needs_attention'
    | 'connection.recovered'
    | 'import.finished'
    | 'reconciliation.finished'
    | 'page.target_changed'
    | 'domain.state_changed'
  )[];
}

export interface CreatedWebhook {
  /** The id of the webhook. */
  readonly id: number;
  /** Signs each request. It is shown only in this response: store it where your receiver reads it. */
  readonly secret: string;
}

export interface WebhookList {
  readonly items: readonly Webhook[];
}

export interface WebhookChanges {
  /** Where events are sent: https on port 443 or 8443, a public host, no user name or password. Redirects are not followed. */
  readonly url?: string | null | undefined;
  /** What it is told of. */
  readonly events?:
    | readonly (
        | 'delivery.delivered'
        | 'delivery.failed'
        | 'delivery.skipped'
        | 'connection.needs_attention'
        | 'connection.recovered'
        | 'import.finished'
        | 'reconciliation.finished'
        | 'page.target_changed'
        | 'domain.state_changed'
      )[]
    | null
    | undefined;
  /** `paused`: what happens from now on is not told; deliveries that wait are sent when it is active again. `active`: it is told again, with three days of retries. */
  readonly state?: 'active' | 'paused' | null | undefined;
}

export interface DeletedWebhook {
  /** The id of the webhook. */
  readonly id: number;
}

export interface RotatedSecret {
  /** The id of the webhook. */
  readonly id: number;
  /** Signs each request. It is shown only in this response: store it where your receiver reads it. */
  readonly secret: string;
  /** Until when requests are signed with the last secret, too. */
  readonly previousUntil: string;
}

export interface SentDelivery {
  /** The id of the delivery in the log of the webhook. */
  readonly deliveryId: number;
}

export interface WebhookDeliveryFilter {
  /** Only deliveries in this state. */
  readonly state?: 'pending' | 'delivered' | 'failed' | 'skipped' | undefined;
  /** The `next` of the page before, with the same other parameters. */
  readonly after?: string | undefined;
}

export interface WebhookDeliveryPage {
  readonly items: readonly {
    readonly id: number;
    /** The `webhook-id` of its requests, the same in each attempt. */
    readonly messageId: string;
    readonly type:
      | 'delivery.delivered'
      | 'delivery.failed'
      | 'delivery.skipped'
      | 'connection.needs_attention'
      | 'connection.recovered'
      | 'import.finished'
      | 'reconciliation.finished'
      | 'page.target_changed'
      | 'domain.state_changed'
      | 'webhook.test';
    /** As in the body of its requests. */
    readonly data: Readonly<Record<string, unknown>>;
    /** `pending`: not accepted yet. `delivered`: your endpoint responded with 2xx. `failed`: it did not within three days. */
    readonly state: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** Reason for the state, if there is one. */
    readonly reason: string | null;
    /** Oldest first. */
    readonly attempts: readonly {
      readonly at: string;
      /** `requeued`: no attempt; you asked for a retry. */
      readonly outcome: 'delivered' | 'rejected' | 'unavailable' | 'throttled' | 'refused' | 'requeued';
      /** `null`: there was no response. */
      readonly httpStatus: number | null;
      /** `unreachable`: there was no response. */
      readonly reason: string | null;
      /** Until the response; 0 if there was none. */
      readonly durationMs: number;
    }[];
    readonly nextAttemptAt: string | null;
    /** When it happened. */
    readonly createdAt: string;
    readonly closedAt: string | null;
  }[];
  /** Send it as `after` to get the next page; `null`: the end. */
  readonly next: string | null;
}
