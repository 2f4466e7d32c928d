import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClaimedAdjustmentDelivery,
  type ClaimedDelivery,
  type ClaimedParcel,
  sendableForMs,
} from '@leadback/core/delivery/claim';
import {
  nextState,
  type NextState,
  type Tries,
  heldBack,
  postponed,
  skipped,
  type SettledDeliveries,
  type ParcelSettlement,
  parcelSettler,
  type Settled,
} from '@leadback/core/delivery/settle';
import { attributedOf, type DeliverableEvent, type MatchKeySet, eventEarly, eventTooOld } from '@leadback/domain';
import { hintQueue, type ParcelHint } from '@leadback/server/broker';
import {
  continueTrace,
  type LoggedTrace,
  loggedTrace,
  markFailed,
  type Span,
  SpanKind,
  traceParentOf,
} from '@leadback/server/trace';
import { failureScopeOf, isDatabaseUnavailable, type Database } from '@leadback/db';
import type { PlatformEvent, Platforms } from '@leadback/platforms';
import { z } from 'zod';
import { type TimedResponse, internalError, unsent, type Sender } from './send.ts';
import type { WorkerEvents } from './events.ts';
import type { Lane } from './lanes.ts';

/** A hint, as far as traces are concerned. */
export type TracedHint = Pick<ParcelHint, 'traceParent'>;

/** What links a span to the subject of its delivery. Webhook events have no trace. */
const subjectOf = (event: DeliverableEvent) => {
  if (event.kind === 'webhook') return {};
  const about = attributedOf(event);
  return about.kind === 'lead' ? { 'leadback.client.id': about.client.id } : { 'leadback.conversion.id': about.id };
};

const deliverySpan = (parcel: ClaimedParcel, delivery: ClaimedDelivery, hint: TracedHint | undefined): Span => {
  const { deliveryId, event, traceParent } = delivery;
  // a hint has the trace of one of its deliveries: if there are several, each has that of its lead
  const parent = traceParent && (parcel.deliveries.length === 1 ? hint?.traceParent : undefined);
  return continueTrace(parent ?? traceParent, `process delivery:${parcel.connection.platform}`, {
    kind: hint ? SpanKind.CONSUMER : SpanKind.INTERNAL,
    attributes: {
      ...(hint && {
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': hintQueue,
      }),
      'leadback.account.id': parcel.connection.accountId,
      ...subjectOf(event),
      'leadback.delivery.id': deliveryId,
      'leadback.delivery.mode': parcel.mode,
    },
  });
};

/**
 * Adds a span for the platform request to the event's own trace, because one request may carry events of many traces.
 * No trace context is sent to the platform.
 */
const noteRequest = (
  span: Span,
  { connection }: ClaimedParcel,
  { attempts }: Pick<ClaimedDelivery, 'attempts'>,
  { request, durationMs, outcome, httpStatus }: TimedResponse,
): void => {
  if (request === undefined) return;
  const made = continueTrace(traceParentOf(span), `POST ${connection.platform}`, {
    kind: SpanKind.CLIENT,
    startTime: request.since,
    attributes: {
      'http.request.method': 'POST',
      ...(httpStatus !== null && { 'http.response.status_code': httpStatus }),
      'leadback.platform': connection.platform,
      'leadback.connection.id': connection.id,
      'leadback.request.events': request.positions.size,
      'leadback.delivery.attempt': attempts + 1,
      'leadback.delivery.outcome': outcome.kind,
    },
  });
  if (outcome.kind !== 'delivered') markFailed(made, httpStatus === null ? outcome.kind : String(httpStatus));
  made.end(request.since + durationMs);
};

/** The traces of the deliveries of a parcel; most deliveries have none. */
interface ParcelSpans {
  noteRequest(delivery: Pick<ClaimedDelivery, 'deliveryId' | 'attempts'>, answer: TimedResponse): void;
  /** Returns what links the log line of a delivery to its trace; `undefined` if it has none. */
  noteState(deliveryId: number, state: string): LoggedTrace | undefined;
  markFailed(type: string): void;
  end(): void;
}

/** Begins a span for each traced delivery. `hint`: by which the parcel was found, if the worker did not find it itself. */
export const parcelSpans = (parcel: ClaimedParcel, hint: TracedHint | undefined): ParcelSpans => {
  const spans = new Map<number, Span>();
  for (const delivery of parcel.deliveries) {
    if (delivery.traceParent === undefined) continue;
    const span = deliverySpan(parcel, delivery, hint);
    if (span.isRecording()) spans.set(delivery.deliveryId, span);
  }
  return {
    noteRequest(delivery, answer) {
      const span = spans.get(delivery.deliveryId);
      if (span !== undefined) noteRequest(span, parcel, delivery, answer);
    },
    noteState: (deliveryId, state) => {
      const span = spans.get(deliveryId)?.setAttribute('leadback.delivery.state', state);
      return span && loggedTrace(span);
    },
    markFailed(type) {
      for (const span of spans.values()) markFailed(span, type);
    },
    end() {
      for (const span of spans.values()) span.end();
    },
  };
};

/** What happened to one delivery: an answer of the platform, or why nothing was sent. */
type Happened =
  /** `position`: of the event in its request. */
  { readonly answer: TimedResponse; readonly position?: number | undefined } | { readonly next: NextState };

// deliveries of one request share its answer, and so the time of their retry: they stay together
const nextStates = new WeakMap<TimedResponse, Map<string, NextState>>();

const nextStateOf = (answer: TimedResponse, tries: Tries): NextState => {
  const known = nextStates.get(answer) ?? new Map<string, NextState>();
  nextStates.set(answer, known);
  const key = `${tries.attempts} ${tries.throttled}`;
  const next = known.get(key) ?? nextState(answer.outcome, tries);
  known.set(key, next);
  return next;
};

type Alike = Omit<SettledDeliveries, 'deliveryIds' | 'matchKeys' | 'positions'>;

interface Group extends Alike {
  readonly deliveryIds: number[];
  readonly matchKeys: (MatchKeySet | null)[];
  readonly positions: (number | null)[];
}

interface TriedDelivery extends Pick<ClaimedDelivery, 'deliveryId'>, Tries {
  /** Missing: no event was built. */
  readonly matchKeys?: MatchKeySet;
}

const settledBy = (happened: Happened, next: NextState, statusAfterMs: number | undefined): Alike => {
  if ('next' in happened) return { ...next, attempt: null };
  const { outcome, httpStatus, body, durationMs, eventNote, request } = happened.answer;
  if (outcome.kind === 'postponed') return { ...next, attempt: null };
  const notes = [eventNote, outcome.kind === 'delivered' ? outcome.warning : undefined].filter(Boolean);
  const told = { eventNote: notes.join('. ') || undefined, sentVersion: request?.version };
  const attempt = { outcome: outcome.kind, reason: next.reason, httpStatus, answer: body, durationMs };
  if (outcome.kind !== 'delivered' || outcome.request === undefined || statusAfterMs === undefined) {
    return { ...next, attempt, ...told };
  }
  return { ...next, attempt: { ...attempt, request: { name: outcome.request, checkInMs: statusAfterMs } }, ...told };
};

/**
 * What is saved of a parcel: deliveries to which the same happened are one. `statusAfterMs`: when to check the status
 * of a request first, if the platform reports one.
 */
export const settledDeliveries = (
  happened: readonly (readonly [TriedDelivery, Happened])[],
  statusAfterMs: number | undefined,
): SettledDeliveries[] => {
  const groups = new Map<unknown, Group>();
  for (const [{ deliveryId, matchKeys = null, ...tries }, one] of happened) {
    const next = 'answer' in one ? nextStateOf(one.answer, tries) : one.next;
    const key = 'answer' in one ? next : `${next.reason} ${next.retryInMs}`;
    const group = groups.get(key) ?? {
      ...settledBy(one, next, statusAfterMs),
      deliveryIds: [],
      matchKeys: [],
      positions: [],
    };
    group.deliveryIds.push(deliveryId);
    group.matchKeys.push(matchKeys);
    group.positions.push(('position' in one ? one.position : undefined) ?? null);
    groups.set(key, group);
  }
  return [...groups.values()];
};

interface SentDelivery extends TriedDelivery {
  readonly note?: string;
}

/** A delivery, and what happened to it. */
type DeliveryResult = readonly [TriedDelivery, Happened];

// an answer without a note stays the same for all deliveries of its request, so that they stay together
const withNote = (answer: TimedResponse, eventNote: string | undefined): TimedResponse =>
  eventNote === undefined || answer.outcome.kind !== 'delivered' ? answer : { ...answer, eventNote };

/** The next state of an adjustment that must not be sent now; undefined if it may be. */
const holdBack = (parcel: ClaimedParcel, delivery: ClaimedAdjustmentDelivery, sender: Sender) => {
  const adjustments = sender.adjustments(parcel.mode);
  if (adjustments === undefined) throw new Error('an event was built for an adjustment that cannot be told');
  // the claim has compared the settings of the conversion with those of its own version
  if (sender.version !== parcel.connection.version) return postponed('connection_changed', 0);
  return heldBack(delivery, parcel.claimedAtMs, {
    ...adjustments,
    wentElsewhere: (former) => adjustments.wentElsewhere(delivery.event, former),
  });
};

/** Returns a function that sends the deliveries of a claimed parcel, and returns what happened to each. It never throws. */
export const parcelSending = (events: WorkerEvents) => {
  const prepare = (parcel: ClaimedParcel, delivery: ClaimedDelivery, sender: Sender) => {
    // a worker with another SECRETS_KEY can send all that is known of the client
    if (delivery.unreadable !== undefined) throw delivery.unreadable;
    const prepareAt = (ms: number) => sender.prepare(parcel.mode, delivery.event, ms);
    const prepared = prepareAt(parcel.claimedAtMs);
    if (prepared.kind === 'event') {
      const next = delivery.others && holdBack(parcel, delivery, sender);
      return next === undefined ? prepared : ({ next } satisfies Happened);
    }
    if (prepared.kind === 'early') return { next: postponed(eventEarly, prepared.inMs) } satisfies Happened;
    const wasInTime = () => prepareAt(delivery.createdAtMs).kind !== 'skipped';
    if (prepared.reason === eventTooOld && wasInTime()) events.deliveryExpired(parcel);
    return { next: skipped(prepared.reason) } satisfies Happened;
  };

  /** Why nothing of a connection can be sent. */
  const unusable = ({ connection }: ClaimedParcel, error: unknown): Happened => {
    if (error instanceof z.ZodError) {
      return { answer: unsent({ kind: 'refused', reason: `settings_do_not_fit: ${z.prettifyError(error)}` }) };
    }
    events.deliveryFailed(connection, error);
    return isDatabaseUnavailable(error) ? { next: postponed('database_unavailable', 0) } : { answer: internalError() };
  };

  /** Takes the deliveries out of the parcel: of those that wait for a response, only the events stay in memory. */
  const prepareAll = (parcel: ClaimedParcel, sender: Sender, failed: TimedResponse) => {
    const results: DeliveryResult[] = [];
    const sent: SentDelivery[] = [];
    const toSend: PlatformEvent[] = [];
    for (const delivery of parcel.deliveries.splice(0)) {
      const { deliveryId, attempts, throttled } = delivery;
      const tried = { deliveryId, attempts, throttled };
      try {
        const prepared = prepare(parcel, delivery, sender);
        if ('event' in prepared) {
          const withKeys = { ...tried, matchKeys: prepared.keys };
          sent.push(prepared.note === undefined ? withKeys : { ...withKeys, note: prepared.note });
          toSend.push(prepared.event);
        } else results.push([tried, prepared]);
      } catch (error) {
        events.deliveryFailed(parcel.connection, error); // must not delay others
        results.push([tried, { answer: failed }]);
      }
    }
    return { results, sent, toSend };
  };

  return async (parcel: ClaimedParcel, lane: Lane, spans: ParcelSpans): Promise<readonly DeliveryResult[]> => {
    const until = performance.now() + sendableForMs;
    let sender: Sender;
    try {
      sender = await lane.senderFor(parcel.connection);
    } catch (error) {
      const happened = unusable(parcel, error);
      return parcel.deliveries.map((delivery) => [delivery, happened]);
    }

    const failed = internalError(); // one, so that their retries stay together
    const { results, sent, toSend } = prepareAll(parcel, sender, failed);
    const answers = toSend.length > 0 ? await sender.send(parcel.mode, toSend, until) : [];
    for (const [index, delivery] of sent.entries()) {
      const answer = answers[index] ?? failed;
      spans.noteRequest(delivery, answer);
      const event = toSend[index];
      const position = event && answer.request?.positions.get(event);
      results.push([delivery, { answer: withNote(answer, delivery.note), position }]);
    }
    return results;
  };
};

interface RetryingSettler {
  /**
   * Saves the outcomes of a parcel. Retries while PostgreSQL is unavailable: without its outcome, an event that a platform
   * has accepted would be sent again. A worker that stops waits for it for a while.
   */
  readonly settle: (settlement: ParcelSettlement) => Promise<Settled>;
  /** Tells it whether PostgreSQL serves others. */
  readonly noteDatabase: (isUp: boolean) => void;
  /**
   * Whether outcomes are still to be saved after an outage of PostgreSQL. Their leases may be over, so that a claim would
   * find their parcels, and what platforms have accepted would be sent again. False once PostgreSQL has been back for 20 s:
   * what cannot be saved by then must not hold up everything else.
   */
  readonly mustSaveFirst: () => boolean;
}

const retryMs = 1_000;
// less than the 30 s within which hints flow again
const saveFirstMaxMs = 20_000;

/**
 * Holds which outcomes an outage has kept from being saved. `pool`: used for nothing else, so that no claim or quota slot
 * can keep outcomes waiting.
 */
export const retryingSettler = (pool: Database['pool'], events: WorkerEvents): RetryingSettler => {
  const save = parcelSettler(pool);
  const unsaved = new Set<ParcelSettlement>();
  let upSince: number | undefined;

  const settle: RetryingSettler['settle'] = async (settlement) => {
    for (;;) {
      try {
        return await save(settlement);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        // not because of locks or time-outs of its own statement
        if (failureScopeOf(error) === 'all') unsaved.add(settlement);
        else unsaved.delete(settlement);
        events.settlingFailed(settlement.parcel.connection, error);
        await pause(retryMs);
      }
    }
  };

  return {
    settle: (settlement) => settle(settlement).finally(() => unsaved.delete(settlement)),
    noteDatabase(isUp) {
      upSince = isUp ? (upSince ?? performance.now()) : undefined;
    },
    mustSaveFirst: () => unsaved.size > 0 && (upSince === undefined || performance.now() - upSince < saveFirstMaxMs),
  };
};

interface Options {
  readonly platforms: Platforms;
  readonly events: WorkerEvents;
  readonly settle: RetryingSettler['settle'];
}

export type DeliverParcel = (parcel: ClaimedParcel, lane: Lane, hint?: TracedHint) => Promise<void>;

/**
 * Returns a function that sends the deliveries of a claimed parcel and saves what happened. Never throws: what cannot
 * be saved is claimed again when the lease is over.
 */
export const parcelDelivery = ({ platforms, events, settle }: Options): DeliverParcel => {
  const send = parcelSending(events);

  return async (parcel, lane, hint) => {
    const { connection } = parcel;
    const { requestStatusAfterMs } = platforms[connection.platform].limits;
    const spans = parcelSpans(parcel, hint);
    try {
      const happened = await send(parcel, lane, spans);
      const { states, isRejected } = await settle({
        parcel,
        deliveries: settledDeliveries(happened, requestStatusAfterMs),
      });
      if (isRejected) events.connectionRejected(connection);
      events.parcelSettled(
        parcel,
        happened.map(([{ deliveryId }]) => {
          const state = states.get(deliveryId) ?? 'closed';
          return { deliveryId, state, trace: spans.noteState(deliveryId, state) };
        }),
      );
    } catch (error) {
      spans.markFailed('not_settled');
      events.parcelNotSettled(connection, error);
    } finally {
      spans.end();
    }
  };
};
