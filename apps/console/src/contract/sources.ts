import { sourceOutcomes, sourceStates } from '@leadback/domain';
import { z } from 'zod';
import { field, inLanguages, pageOf, rowId, shownReference } from './values.ts';

const kind = z.object({
  /** As in the path of its form: `/sources/woocommerce`. */
  name: z.string(),
  title: z.string(),
  texts: inLanguages(
    z.object({
      /** What it brings. */
      help: z.string(),
      /** What to click at the other side, in order. */
      steps: z.array(z.string()),
      /** How a first message is sent. */
      test: z.string(),
      /** What raises the share of sales with a click. */
      clicks: z.string(),
    }),
  ),
  /** Of the documentation. */
  page: z.string(),
  fields: z.array(
    field.extend({
      /** It is asked for only if another field has this value; null: always. */
      onlyWith: z.object({ name: z.string(), value: z.string() }).nullable(),
    }),
  ),
  /** Whether Leadback makes the secret that signs, if none is typed. */
  makesSecret: z.boolean(),
  /** Whether a person says where a message has what a sale needs. */
  hasMap: z.boolean(),
  /** Whether the other side gives its credentials at a page of its own: see `connectPageReply`. */
  connects: z.boolean(),
  /** What is written behind its URL, and what tests it; null: nothing. */
  query: z.object({ template: z.string(), test: z.string() }).nullable(),
});

/** `GET /api/accounts/:account/sources/kinds`: what each kind needs to know. */
export const sourceKindsReply = z.object({ items: z.array(kind) });

const source = z.object({
  id: z.number(),
  kind: z.string(),
  /** The title of its kind. */
  title: z.string(),
  label: z.string(),
  state: z.enum(sourceStates),
  /** Why the other side refuses it, in its words. */
  stateReason: z.string().nullable(),
  /** Whether all that it brings is a test. */
  isTest: z.boolean(),
  createdAt: z.string(),
  /** Null: nothing came in the last 30 days, of which the numbers below are. */
  lastEventAt: z.string().nullable(),
  received: z.number(),
  /** Events that are not worked on yet, or wait for another one. */
  waiting: z.number(),
  sales: z.number(),
  adjustments: z.number(),
  repeated: z.number(),
  ignored: z.number(),
  failed: z.number(),
  withoutClick: z.number(),
  /** How many requests had a wrong signature since the last genuine one. */
  refused: z.number(),
  refusedAt: z.string().nullable(),
  /** Whether somebody must act on that. */
  isRefused: z.boolean(),
  /** The part of its sales that a click led to; null: it has none. */
  shareWithClick: z.number().nullable(),
});

/** `GET /api/accounts/:account/sources`: oldest first. */
export const sourcesReply = z.object({ items: z.array(source) });

/** What a map says of a field of ours: a path into a message, `=` and a constant, or a condition. */
const mapSchema = z.record(z.string(), z.unknown());

/** `GET /api/accounts/:account/sources/:id` */
export const sourceReply = z.object({
  source,
  /** Where the other side sends to. Null: the person may not manage sources, or it cannot be decrypted. */
  url: z.string().nullable(),
  settings: z.record(z.string(), z.string()),
  map: mapSchema.nullable(),
  /** The names of the secrets that are set; null: they cannot be decrypted, and the source works no more. */
  secrets: z.array(z.string()).nullable(),
  /** Until when the secret before is accepted as well; null: there is none. */
  earlierUntil: z.string().nullable(),
});

/** Settings and secrets by name; an empty text removes one. `map` is an object. */
const content = z.record(z.string().max(60), z.union([z.string().max(10_000), mapSchema]));

/** `POST /api/accounts/:account/sources` → 201 `createdSourceReply`; 422 names the fields that are wrong. */
export const createSourceInput = z.object({
  kind: z.string().max(60),
  /** Default: the title of the kind. */
  label: z.string().max(1_000).optional(),
  isTest: z.boolean(),
  content,
});
export const createdSourceReply = z.object({
  id: z.number(),
  url: z.string(),
  /** If Leadback made it: shown only now. */
  secret: z.string().nullable(),
});

/** `POST /api/accounts/:account/sources/:id/change` → 200 `sourceReply`. What is not named stays. */
export const changeSourceInput = z.object({ label: z.string().max(1_000).optional(), content });

/** `POST /api/accounts/:account/sources/:id/secret`: a new one; 400 if the other side makes it. */
export const rotatedSourceReply = z.object({
  /** Shown only now. */
  secret: z.string(),
  earlierUntil: z.string(),
});

/** `POST /api/accounts/:account/sources/:id/url`: a new one. */
export const renewedUrlReply = z.object({
  url: z.string(),
  /** Until when the one before works as well. */
  earlierUntil: z.string(),
});

/** `POST /api/accounts/:account/sources/:id/connect`: a page of the other side; 400 if the source does not know its app yet. */
export const connectPageReply = z.object({ page: z.string() });

/** `POST /api/accounts/:account/sources/:id/connected`: what the person came back with from that page. */
export const connectedInput = z.object({ code: z.string().min(1).max(500), state: z.string().min(1).max(1_000) });
export const connectedReply = z.object({
  outcome: z.enum([
    'connected',
    'state-refused',
    'app-refused',
    'code-refused',
    'scope-missing',
    'other-store',
    'unavailable',
  ]),
  /** Events that the other side does not send, although it is connected. */
  unsent: z.array(z.string()),
});

/** `POST /api/accounts/:account/sources/:id/pause`, `…/resume`: how many events wait, or are worked on now. */
export const switchedSourceReply = z.object({ waiting: z.number() });

/** `POST /api/accounts/:account/sources/:id/replay`: how many events are worked on again. */
export const replayedReply = z.object({ events: z.number() });

/** `POST /api/accounts/:account/sources/:id/delete` */
export const deletedSourceReply = z.object({ id: z.number() });

const eventsPerPage = 50;

/** `GET /api/accounts/:account/sources/:id/events`: newest first. */
export const sourceEventsInput = z.object({
  before: rowId.optional(),
  limit: z.coerce.number().int().min(1).max(eventsPerPage).default(eventsPerPage),
});

const sourceEvent = z.object({
  id: z.number(),
  at: z.string(),
  /** What the other side calls it. */
  event: z.string(),
  /** The number of the order there. */
  order: shownReference.nullable(),
  /** Null: it waits. */
  outcome: z.enum(sourceOutcomes).nullable(),
  /** Why it came to that, as far as there is more to say. */
  reason: inLanguages(z.string()).nullable(),
  /** Which field is meant. */
  message: z.string().nullable(),
  conversionId: z.number().nullable(),
});

export const sourceEventsReply = pageOf(sourceEvent);

/** `GET /api/accounts/:account/sources/:id/sample`: what the newest message has; `at` null: there is none. */
export const sourceSampleReply = z.object({
  at: z.string().nullable(),
  /** Values that may name somebody are masked. */
  fields: z.array(z.object({ path: z.string(), value: z.string() })),
});

export type SourceKind = z.output<typeof kind>;
export type SourceKindsReply = z.output<typeof sourceKindsReply>;
export type Source = z.output<typeof source>;
export type SourcesReply = z.output<typeof sourcesReply>;
export type SourceReply = z.output<typeof sourceReply>;
export type CreateSourceInput = z.input<typeof createSourceInput>;
export type CreatedSourceReply = z.output<typeof createdSourceReply>;
export type ChangeSourceInput = z.input<typeof changeSourceInput>;
export type RotatedSourceReply = z.output<typeof rotatedSourceReply>;
export type RenewedUrlReply = z.output<typeof renewedUrlReply>;
export type ConnectPageReply = z.output<typeof connectPageReply>;
export type ConnectedInput = z.input<typeof connectedInput>;
export type ConnectedReply = z.output<typeof connectedReply>;
export type SwitchedSourceReply = z.output<typeof switchedSourceReply>;
export type ReplayedReply = z.output<typeof replayedReply>;
export type SourceEvent = z.output<typeof sourceEvent>;
export type SourceEventsReply = z.output<typeof sourceEventsReply>;
export type SourceSampleReply = z.output<typeof sourceSampleReply>;
