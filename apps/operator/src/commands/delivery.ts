import {
  Conversion,
  Delivery,
  ConversionAdjustment,
  type EntityManager,
  Installation,
  DeliveryAttempt,
  DeliveryDue,
  type PlatformConnection,
  transaction,
} from '@leadback/db';
import {
  type AdjustmentKind,
  type EventKind,
  leadEventId,
  webhookEventId,
  webhookName,
  type WebhookEventType,
  deliveryStates,
  connectionDeleted,
  consentWithdrawn,
  eventTooOld,
  optionalText,
  type SkipReason,
} from '@leadback/domain';
import type { Loaded } from '@mikro-orm/core';
import { z } from 'zod';
import { findAccount } from '@leadback/core/accounts/accounts';
import { findConnection } from '@leadback/core/connections/store';
import type { Platform } from '@leadback/platforms';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { audit } from '@leadback/core/audit';
import { command } from '../command.ts';
import { truncateList } from '../doctor/check.ts';
import { idSchema, OperatorError } from '../options.ts';

/** What the platform was not told in full, and what it reported about the request later. */
const noteOf = ({ eventNote, note }: Pick<Delivery, 'eventNote' | 'note'>): string | null =>
  [eventNote, note].filter((text) => text != null).join('. ') || null;

/** What must be loaded of a delivery to know its subject. */
const withSubject = ['conversion', 'client', 'adjustment.conversion', 'webhookEvent'] as const;

interface Subject {
  readonly event: EventKind | AdjustmentKind | WebhookEventType;
  /** The conversion, or that of the adjustment; null: it reports something else. */
  readonly conversionId: number | null;
  /** The partner's order number of it. */
  readonly conversionExternalReference: string | null;
  readonly adjustmentId: number | null;
  /** The client that was registered; null: it reports something else. */
  readonly clientId: number | null;
  readonly isTest: boolean;
  readonly occurredAt: Date;
  /** The same value as is sent to the platform or webhook. */
  readonly eventId: string;
}

const noConversion = { conversionId: null, conversionExternalReference: null, adjustmentId: null };

/** What a delivery reports. `installationId`: of this database. */
const subjectOf = (
  {
    id,
    conversion,
    client,
    adjustment,
    webhookEvent,
    isTest: isTestDelivery,
  }: Loaded<Delivery, (typeof withSubject)[number]>,
  installationId: string,
): Subject => {
  if (client) {
    const { id: clientId, isTest, createdAt: occurredAt } = client.$;
    const eventId = leadEventId(installationId, clientId, isTest);
    return { event: 'lead', ...noConversion, clientId, isTest, occurredAt, eventId };
  }
  if (webhookEvent) {
    const { id: eventNumber, type: event, createdAt: occurredAt } = webhookEvent.$;
    const eventId = webhookEventId(installationId, eventNumber);
    return { event, ...noConversion, clientId: null, isTest: isTestDelivery, occurredAt, eventId };
  }
  const reported = conversion?.$ ?? adjustment?.$.conversion.$;
  if (!reported) throw new Error(`delivery ${id} reports nothing`);
  return {
    event: adjustment?.$.kind ?? 'conversion',
    conversionId: reported.id,
    conversionExternalReference: reported.externalReference ?? reported.testReference ?? null,
    adjustmentId: adjustment?.$.id ?? null,
    clientId: null,
    isTest: reported.isTest,
    occurredAt: adjustment?.$.occurredAt ?? reported.occurredAt ?? reported.createdAt,
    eventId: reported.eventId ?? String(reported.id),
  };
};

const rowsMax = 1_000;
const resumption = 'its connection to be resumed';

/** The conversions with an order number: a live one, a test one, or both. */
const idsOfOrder = async (em: EntityManager, account: number, order: string): Promise<number[]> => {
  const named = await em.find(
    Conversion,
    { account, $or: [{ externalReference: order }, { testReference: order }] },
    { fields: ['id'] },
  );
  if (named.length === 0) throw new OperatorError(`--order: account ${account} has no conversion with this reference`);
  return named.map(({ id }) => id);
};

/** A condition on deliveries: they report one of these conversions or of their adjustments. */
const ofConversions = async (em: EntityManager, account: number, ids: readonly number[]) => {
  const conversion = { $in: [...ids] };
  const adjustments = await em.find(ConversionAdjustment, { account, conversion }, { fields: ['id'] });
  return { $or: [{ conversion }, { adjustment: { $in: adjustments.map(({ id }) => id) } }] };
};

export const listDeliveries = command({
  name: 'delivery list',
  summary: `list the deliveries of an account, newest first (at most ${rowsMax}); isTest marks tests`,
  options: [
    ['--account <id>', 'account of the deliveries'],
    ['--state <state>', deliveryStates.join(', ')],
    ['--conversion <id>', 'only deliveries of this conversion and its adjustments'],
    [
      '--order <reference>',
      'only deliveries of the conversion with this conversionExternalReference, and of its adjustments',
    ],
    ['--webhooks', 'also those to webhooks, which tables leave out'],
  ],
  brief: ['id', 'event', 'conversionExternalReference', 'platform', 'state', 'reason', 'waitsFor', 'createdAt'],
  columns: [
    'id',
    'event',
    'conversionId',
    'conversionExternalReference',
    'clientId',
    'isTest',
    'connectionId',
    'platform',
    'label',
    'destination',
    'state',
    'attempts',
    'reason',
    'waitsFor',
    'note',
    'createdAt',
    'closedAt',
  ],
  input: z.object({
    account: idSchema,
    state: z.enum(deliveryStates).optional(),
    conversion: idSchema.optional(),
    order: optionalText(255),
    webhooks: z.boolean().default(false),
  }),
  async run({ account, state, conversion, order }, { em }) {
    await findAccount(em, account);
    const ids = order === undefined ? conversion && [conversion] : await idsOfOrder(em, account, order);
    const deliveries = await em.find(
      Delivery,
      { account, ...(state && { state }), ...(ids && (await ofConversions(em, account, ids))) },
      { populate: ['connection', ...withSubject], orderBy: { id: 'desc' }, limit: rowsMax },
    );
    const { id: installationId } = await em.findOneOrFail(Installation, { isOnly: true });
    return deliveries.map((row) => {
      const { event, conversionId, conversionExternalReference, clientId, isTest } = subjectOf(row, installationId);
      return {
        id: row.id,
        event,
        conversionId,
        conversionExternalReference,
        clientId,
        isTest,
        connectionId: row.connection.id,
        platform: row.connection.$.platform,
        label: row.connection.$.label ?? row.connection.$.destination,
        destination: row.connection.$.destination,
        state: row.state,
        attempts: row.attempts,
        reason: row.reason,
        waitsFor: row.state === 'pending' && row.connection.$.state !== 'active' ? resumption : null,
        note: noteOf(row),
        createdAt: row.createdAt,
        closedAt: row.closedAt,
      };
    });
  },
  shown: (deliveries, { webhooks }) =>
    webhooks ? deliveries : deliveries.filter(({ platform }) => platform !== webhookName),
});

const meanings: Readonly<Record<Exclude<SkipReason, typeof eventTooOld>, string>> = {
  no_match_keys: 'the platform cannot match the event: there is no click id and no usable contact data',
  before_click:
    'the conversion occurred before the click, which cannot have caused it, and nothing else is known to match by',
  invalid_amount: 'the platform takes no sale without an amount that it can read',
  consent:
    'the visitor did not agree to sharing, or the advertiser told a refusal with `consent`. Or the visitor refused personalisation, and the platform cannot mark an event for counting only. Or their browser sent Global Privacy Control, which `account change --gpc` sets',
  [consentWithdrawn]:
    'the visitor has withdrawn consent on the page `/data` of landing, which nothing brings back. Or the advertiser told a refusal with `consent` after the event was registered',
  [connectionDeleted]: 'its connection was deleted with --discard while this waited for it',
  not_supported:
    'the platform has no way to be told of this adjustment; Meta needs a refund event, set with `connection change --refund-event`',
  original_not_delivered:
    'the platform does not have the conversion; `delivery retry` of the conversion brings this back',
  original_uncertain:
    'it is not known whether the platform used the conversion: it did not report it, or the record was deleted. If the delivery of the conversion has a note, `delivery retry` of it sends both again',
  original_sent_elsewhere:
    'the conversion was sent with other settings of the connection (account, conversion action, data set or `--map-event`); there, this would be one more conversion. Correct the conversion by hand at the platform; if the change was a mistake, undo it and run `delivery retry`',
  superseded: 'a later adjustment of the conversion has the total that counts; this one would overwrite it',
  nothing_taken_back: 'the total is not below every earlier one; the platform is told only of what is taken back',
  refund_event_taken:
    'the refund event has the name of another event, which the platform would count: change it with `connection change --refund-event`',
  currency_not_supported:
    'the platform does not take the currency of the sale; `connection change --other-currency without-value` sends such sales without their amount, then run `delivery retry`',
  no_test_mode: 'the conversion is a test, and the platform would count it: it has no tests',
  no_lead_event:
    'the connection does not say what the platform calls leads: set it with `connection change`, or leave leads out with `--events conversion`',
  no_test_event_code:
    'the conversion is a test, and the connection has no test event code: set one with `connection change --test-event-code`',
};

const dayMs = 24 * 3_600_000;

const isExplained = (reason: string | null | undefined): reason is keyof typeof meanings =>
  reason != null && Object.hasOwn(meanings, reason);

/** Explains why a delivery was skipped, and what can be done; null for other reasons. */
const skipMeaning = (
  reason: string | null | undefined,
  { title, limits }: Pick<Platform, 'title' | 'limits'>,
): string | null => {
  if (reason !== eventTooOld) return isExplained(reason) ? meanings[reason] : null;
  const days = Math.ceil(limits.eventAgeMaxMs / dayMs);
  return `${title} accepts no event older than ${days} days (see occurredAt), and may accept no click that old`;
};

/** When a pending delivery is due, or what it waits for. A claimed one is sent even if its connection is paused meanwhile. */
const dueOf = async (em: EntityManager, { state, parcelId }: Delivery, connection: PlatformConnection) => {
  if (state !== 'pending' || parcelId == null) return { dueAt: null, waitsFor: null };
  const parcel = await em.findOne(DeliveryDue, { id: parcelId, connectionId: connection.id });
  if (parcel?.phase === 'claimed' && parcel.notBefore > new Date()) {
    return { dueAt: null, waitsFor: 'a worker, which is sending it' };
  }
  if (connection.state !== 'active') return { dueAt: null, waitsFor: resumption };
  return { dueAt: parcel?.notBefore ?? null, waitsFor: null };
};

export const showDelivery = command({
  name: 'delivery show',
  summary: 'show one delivery, live or test: event id, state, and every attempt, oldest first',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, platforms }) {
    const delivery = await em.findOne(Delivery, { id }, { populate: ['connection', ...withSubject] });
    if (!delivery) throw new OperatorError(`there is no delivery ${id}`);
    const { account } = delivery;
    const { id: installationId } = await em.findOneOrFail(Installation, { isOnly: true });
    const attempts = await em.find(DeliveryAttempt, { delivery, account }, { orderBy: { id: 'asc' } });
    return {
      id,
      accountId: account.id,
      ...subjectOf(delivery, installationId),
      connectionId: delivery.connection.id,
      platform: delivery.connection.$.platform,
      label: delivery.connection.$.label ?? delivery.connection.$.destination,
      destination: delivery.connection.$.destination,
      connectionState: delivery.connection.$.deletedAt ? 'deleted' : delivery.connection.$.state,
      state: delivery.state,
      reason: delivery.reason,
      meaning: skipMeaning(delivery.reason, platforms[delivery.connection.$.platform]),
      note: noteOf(delivery),
      confirmed: delivery.isConfirmed ?? null,
      ...(await dueOf(em, delivery, delivery.connection.$)),
      createdAt: delivery.createdAt,
      retriedSince: delivery.retriedSince,
      closedAt: delivery.closedAt,
      attempts: attempts.map(({ createdAt: at, ...attempt }) => ({
        at,
        outcome: attempt.outcome,
        reason: attempt.reason,
        httpStatus: attempt.httpStatus,
        answer: attempt.answer,
        durationMs: attempt.durationMs,
        platformRequest: attempt.platformRequest,
        /** Platforms name events by it. */
        requestPosition: attempt.requestPosition ?? null,
      })),
    };
  },
});

const whyNot = (id: number, delivery: Loaded<Delivery, 'connection'> | undefined): string => {
  if (!delivery) return `there is no delivery ${id}`;
  const { id: connectionId, state, deletedAt } = delivery.connection.$;
  if (delivery.state === 'delivered' && delivery.note == null)
    return `delivery ${id} was delivered and has no note from the platform; a retry would change nothing`;
  if (delivery.state === 'pending') return `delivery ${id} is already pending`;
  if (deletedAt) return `delivery ${id}: its connection was deleted`;
  return state === 'active'
    ? `delivery ${id} changed meanwhile; run the command again`
    : `delivery ${id}: its connection is not active (${state}); run \`connection resume ${connectionId}\` first`;
};

/** All of them or none. */
const retryEach = (em: EntityManager, ids: readonly number[], actor: string) =>
  transaction(em, async (tx) => {
    const requeued = await requeueDeliveries(tx, ids);
    const others = ids.filter((id) => !requeued.includes(id));
    const found = await tx.find(Delivery, { id: { $in: [...requeued, ...others] } }, { populate: ['connection'] });
    for (const { id, account } of found.filter((one) => requeued.includes(one.id)))
      await audit(tx, { actor, action: 'delivery.retry', accountId: account.id, target: `delivery ${id}` });
    // with the adjustments that follow
    if (others.length === 0) return { requeued: requeued.toSorted((one, other) => one - other) };
    const byId = new Map(found.map((delivery) => [delivery.id, delivery]));
    throw new OperatorError(others.map((id) => whyNot(id, byId.get(id))).join('\n'));
  });

const retryConnection = async (em: EntityManager, id: number, reason: string | undefined, actor: string) => {
  const { accountId, state } = await findConnection(em, { id });
  if (state !== 'active') {
    throw new OperatorError(`connection ${id} is not active (${state}); run \`connection resume ${id}\` first`);
  }
  const details = { ...(reason !== undefined && { reason }) };
  // first: the work is many transactions
  await audit(em, { actor, action: 'connection.retry', accountId, target: `connection ${id}`, details });
  const requeued = await requeueDeliveriesOfConnection(em, { id, accountId, reason });
  if (requeued > 0 || reason === undefined) return { connection: id, requeued };
  const ended = await em.find(
    Delivery,
    { account: accountId, connection: id, state: { $in: ['failed', 'skipped'] } },
    { fields: ['reason'], orderBy: { id: 'desc' }, limit: rowsMax },
  );
  const reasons = [...new Set(ended.map((delivery) => delivery.reason ?? ''))].filter(Boolean);
  const known = reasons.length === 0 ? 'none has failed or was skipped' : `there are: ${truncateList(reasons)}`;
  throw new OperatorError(`--reason: no delivery of connection ${id} ended with it; ${known}`);
};

export const retryDeliveries = command({
  name: 'delivery retry',
  summary: 'retry failed and skipped deliveries: the given ones (all or none), or all of a connection',
  argument: '[id...]',
  options: [
    ['--connection <id>', 'all failed and skipped deliveries of this connection'],
    ['--reason <text>', 'with --connection: only if the reason starts with this text'],
  ],
  input: z.object({
    id: z.array(idSchema).transform((ids) => [...new Set(ids)]),
    connection: idSchema.optional(),
    reason: z.string().optional(),
  }),
  async run({ id: ids, connection, reason }, { em, actor }) {
    if (ids.length > 0 === (connection !== undefined)) {
      throw new OperatorError('give either ids or --connection ID');
    }
    if (connection !== undefined) return retryConnection(em, connection, reason, actor);
    if (reason !== undefined) throw new OperatorError('--reason: needs --connection');
    return retryEach(em, ids, actor);
  },
});
