import { platformNames, adjustmentKinds, Refusal, requiredText, daySchema, deliveryStates } from '@leadback/domain';
import { readMatchFacts } from '@leadback/core/quality/quality';
import {
  type ConversionRecord,
  type DeliveryRecord,
  listConversions as listRegistered,
  readConversion as readRegistered,
} from '@leadback/core/conversions/read';
import { z } from 'zod';
import { timesOf } from '@leadback/core/accounts/days';
import { endpoint, addToRequestLog, endpointWithParameters, jsonBatchBody, nothing } from '@leadback/server/http';
import { adjustmentSchema } from '@leadback/core/conversions/adjust';
import { conversionSchema, conversionItemSchema } from '@leadback/core/conversions/register';
import { modeOf, takeTokens } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { traceInLead } from '../events.ts';
import {
  idempotencyHeaders,
  idempotencyRefusals,
  recordId,
  positionSchema,
  writePosition,
  optionalQuery,
} from './parameters.ts';
import { click, clientWarnings, referenceWarnings, testTexts, warnings } from './client.ts';
import { batchBody, batchInput, batchParameters, batchReply, documentedBatch } from './batch.ts';

// keeps the example within the accepted range
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

export const registerConversion = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/conversion',
  subject: 'Conversions',
  summary: 'Register a conversion',
  description:
    'Registers a conversion of a client and reports it to the platforms of your account. Identify the client by `clientExternalReference`, `email` or both. With the `leadReference` of the buyer, one call is enough: a client that is unknown is registered with the sale. Send `conversionExternalReference` or an `Idempotency-Key`, so that you can retry safely if a response is lost.',
  input: conversionSchema,
  examples: {
    'By your own identifiers': {
      amount: 149.9,
      currency: 'USD',
      clientExternalReference: 'customer-1042',
      conversionExternalReference: 'order-8731',
    },
    'An order from yesterday that your pixel has reported too': {
      amount: 80,
      currency: 'USD',
      clientExternalReference: 'customer-1042',
      conversionExternalReference: 'order-8730',
      occurredAt: yesterday,
      eventId: 'order-8730',
    },
    'By email': { amount: 25000, currency: 'ARS', email: 'ana@example.com' },
  },
  headers: idempotencyHeaders,
  replies: {
    201: {
      description: 'The conversion is registered.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the conversion.' }),
        leadId: z.int().meta({ description: 'The click that counts: the newest of the client before the sale.' }),
        warnings,
      }),
      example: { id: 31, leadId: 12 },
    },
  },
  refusals: [
    ...idempotencyRefusals,
    'currency-not-allowed',
    'client-unknown',
    'lead-unknown',
    'lead-pending',
    'suppressed',
    'conversion-repeated',
    'conversion-differs',
  ],
  async handle({ input, headers, response }, { registerConversion: register, intake, contacts, accepted, events }) {
    const startTime = performance.now();
    const mode = modeOf(response);
    const {
      id,
      leadId,
      warnings: told,
      traceParent,
      isRepeated,
    } = await register(mode, input, headers['idempotency-key']);
    accepted.note('conversion', mode, id);
    if (!isRepeated) {
      const attributes = { 'leadback.conversion.id': id, 'leadback.lead.id': leadId };
      const leadTraceId = traceInLead(response.req.span, {
        name: 'register conversion',
        startTime,
        traceParent,
        attributes,
      });
      addToRequestLog(response, { conversionId: id, isTest: mode.isTest, lead_trace_id: leadTraceId });
      events.conversionRegistered({ currency: input.currency, isTest: mode.isTest });
    }
    const facts = mode.isTest ? await readMatchFacts(intake, contacts, mode, { conversionId: id }) : undefined;
    const { clientExternalReference, conversionExternalReference } = input;
    const ofReferences = referenceWarnings({ clientExternalReference, conversionExternalReference });
    const texts = facts && { warnings: testTexts(told, [...clientWarnings(facts), ...ofReferences]) };
    return { status: 201, body: { id, leadId, ...texts }, warnings: told };
  },
});

const outcomes = ['created', 'repeated', 'differs', 'refused'] as const;

export const registerConversions = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/client/conversion/batch',
  subject: 'Conversions',
  summary: 'Register up to 500 conversions',
  description:
    'Registers each item as `POST /client/conversion` does, in order, and returns one result per item: an item that is refused does not stop the others. Each item needs a `conversionExternalReference`, so that you can send the batch again safely. Each item counts as one request of your rate limit.',
  parameters: batchParameters,
  body: jsonBatchBody,
  input: batchInput,
  documented: documentedBatch(conversionItemSchema, 'Conversions, as in `POST /client/conversion`.'),
  examples: {
    'Orders from yesterday': {
      items: [
        {
          amount: 149.9,
          currency: 'USD',
          clientExternalReference: 'customer-1042',
          conversionExternalReference: 'order-8740',
          occurredAt: yesterday,
        },
        {
          amount: 25000,
          currency: 'ARS',
          email: 'ana@example.com',
          conversionExternalReference: 'order-8741',
          occurredAt: yesterday,
        },
      ],
    },
  },
  headers: nothing,
  replies: {
    200: {
      description: 'The outcome of each item.',
      body: batchReply(
        outcomes,
        '`created`: a new conversion. `repeated`: the conversion with this `conversionExternalReference` is registered; `id` is its id. `differs`: it is registered with another amount, currency or client; nothing was changed. `refused`: see `message`.',
      ),
      example: {
        results: [
          { index: 0, outcome: 'created', id: 31, leadId: 12 },
          {
            index: 1,
            outcome: 'refused',
            code: 'client-unknown',
            message: 'no client matches clientExternalReference or email',
          },
        ],
        counts: { created: 1, repeated: 0, differs: 0, refused: 1 },
        dryRun: false,
      },
    },
  },
  async handle({ input, parameters, response }, { registerConversions: register, accepted, events }) {
    const { dryRun: isDryRun } = parameters;
    const startTime = performance.now();
    takeTokens(response, input.items.length);
    const mode = modeOf(response);
    const found = await register(mode, input.items, { isDryRun });
    for (const conversion of isDryRun ? [] : found) {
      if (conversion.outcome !== 'created') continue;
      const { id, leadId, currency, traceParent } = conversion;
      accepted.note('conversion', mode, id);
      events.conversionRegistered({ currency, isTest: mode.isTest });
      const attributes = { 'leadback.conversion.id': id, 'leadback.lead.id': leadId };
      traceInLead(response.req.span, { name: 'register conversion', startTime, traceParent, attributes });
    }
    const body = batchBody(outcomes, found, isDryRun);
    addToRequestLog(response, { counts: body.counts, isDryRun, isTest: mode.isTest });
    return { status: 200, body };
  },
});

const otherUnit =
  '`amount` is ten times the total before or more, or a tenth or less: check that it is the new total, and not in cents.';

export const adjustConversion = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/conversion/adjustment',
  subject: 'Conversions',
  summary: 'Adjust a conversion',
  description:
    'Changes the total of a conversion, or takes the conversion back, and tells the platforms that can be told. Name the conversion by `conversionId` or `conversionExternalReference`. Send `adjustmentExternalReference` or an `Idempotency-Key`, so that you can retry safely if a response is lost. A conversion that is retracted takes no more adjustments.',
  input: adjustmentSchema,
  examples: {
    'A part was returned': {
      conversionExternalReference: 'order-8731',
      kind: 'restate',
      amount: 99.9,
      adjustmentExternalReference: 'credit-note-311',
    },
    'The order was cancelled': { conversionExternalReference: 'order-8730', kind: 'retract' },
  },
  headers: idempotencyHeaders,
  replies: {
    201: {
      description: 'The adjustment is registered.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the adjustment.' }),
        conversionId: z.int().meta({ description: 'The id of the conversion.' }),
        warnings: z.array(z.string()).optional().meta({
          description:
            'Only with a test key: the warnings of `Leadback-Warning` in words, and whether the new total may be in another unit. Empty if there is nothing.',
        }),
      }),
      example: { id: 5, conversionId: 31 },
    },
  },
  refusals: [...idempotencyRefusals, 'conversion-unknown.adjusted', 'conversion-retracted', 'adjustment-repeated'],
  async handle({ input, headers, response }, { adjustConversion: adjust, accepted, events }) {
    const startTime = performance.now();
    const mode = modeOf(response);
    const adjusted = await adjust(mode, input, headers['idempotency-key']);
    const { id, conversionId, warnings: told, isTenfold, traceParent, isRepeated } = adjusted;
    accepted.note('adjustment', mode, id);
    if (!isRepeated) {
      const attributes = { 'leadback.conversion.id': conversionId, 'leadback.adjustment.id': id };
      const leadTraceId = traceInLead(response.req.span, {
        name: 'adjust conversion',
        startTime,
        traceParent,
        attributes,
      });
      addToRequestLog(response, { conversionId, adjustmentId: id, isTest: mode.isTest, lead_trace_id: leadTraceId });
      events.conversionAdjusted(input.kind, mode);
    }
    const texts = mode.isTest && { warnings: testTexts(told, isTenfold ? [otherUnit] : []) };
    return { status: 201, body: { id, conversionId, ...texts }, warnings: told };
  },
});

const time = z.iso.datetime();

const deliveryBody = z.object({
  connection: z.object({
    id: z.int(),
    label: z.string().meta({ description: 'What your operator calls it; otherwise where it leads at the platform.' }),
  }),
  platform: z.enum(platformNames),
  state: z.enum(deliveryStates).meta({
    description:
      '`pending`: not delivered yet. `delivered`: the platform accepted the event. `failed`: the platform rejected the event, or was unavailable for three days. `skipped`: nothing to send, see `reason`.',
  }),
  reason: z.string().nullable().meta({ description: 'Reason for the state, if there is one.' }),
  attempts: z.int(),
  nextAttemptAt: time.nullable().meta({
    description:
      'Earliest time of the next attempt. `null` if there is none, while it is being sent, or if an operator must fix or resume the connection first.',
  }),
  closedAt: time.nullable().meta({ description: 'Time at which it was delivered, failed or skipped.' }),
  note: z.string().nullable().meta({
    description:
      'What the platform could not be told in full, and what it reported about the request after it accepted it.',
  }),
  confirmed: z.boolean().nullable().meta({
    description:
      'Google reports later what it used. `true`: it used this event. `false`: it did not, or did not say so of this event; `reason` or `note` says why. `null`: it has not reported yet, or the platform never does.',
  }),
});

const connectionReasons: Record<DeliveryRecord['connectionState'], string | null> = {
  active: null,
  paused: 'the connection is paused',
  needs_attention: 'the connection needs attention',
};

/** Adds the state of the connection if a pending delivery waits for it. */
const reasonOf = ({ state, reason, connectionState, connectionReason }: DeliveryRecord) => {
  const waitsFor = state === 'pending' ? connectionReasons[connectionState] : null;
  return waitsFor === null ? reason : [waitsFor, connectionReason].filter((part) => part !== null).join(': ');
};

const deliveryView = (delivery: DeliveryRecord): z.infer<typeof deliveryBody> => ({
  connection: { id: delivery.connectionId, label: delivery.connectionLabel },
  platform: delivery.platform,
  state: delivery.state,
  reason: reasonOf(delivery),
  attempts: delivery.attempts,
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  closedAt: delivery.closedAt?.toISOString() ?? null,
  note: delivery.note,
  confirmed: delivery.isConfirmed,
});

const adjustmentBody = z.object({
  id: z.int(),
  kind: z.enum(adjustmentKinds),
  amount: z.number().meta({ description: 'The new total; 0 if it is retracted.' }),
  occurredAt: time,
  adjustmentExternalReference: z.string().nullable(),
  createdAt: time,
  deliveries: z.array(deliveryBody).meta({
    description:
      'One delivery per delivery that the conversion had then. Empty if it had none, or if its deliveries were deleted before: no platform is told.',
  }),
});

const conversionBody = z
  .object({
    id: z.int(),
    clientId: z.int(),
    leadId: z.int().meta({ description: 'The click that counts: one of `clicks`.' }),
    clicks: z
      .array(
        click.extend({
          counted: z.boolean().meta({
            description:
              'Whether the metrics count the conversion for this click, or a platform was told of it. Each platform is told of the newest click before the sale that has its click id.',
          }),
        }),
      )
      .meta({ description: 'The clicks of the client, oldest first.' }),
    amount: z.number().meta({ description: 'The total now, after all adjustments.' }),
    originalAmount: z.number(),
    netAmount: z
      .number()
      .optional()
      .meta({ description: 'The part of `originalAmount` that you earn, if you sent it.' }),
    items: z
      .array(
        z.object({
          id: z.string().optional(),
          name: z.string().optional(),
          quantity: z.int().optional(),
          price: z.number().optional(),
        }),
      )
      .optional()
      .meta({ description: 'What was sold, if you sent it and the person was not erased.' }),
    currency: z.string().meta({ description: 'A code of ISO 4217.' }),
    conversionExternalReference: z.string().nullable(),
    eventId: z.string().meta({ description: 'The event id that the platforms receive.' }),
    eventName: z.string().optional().meta({ description: 'Your name for the event, if you sent one.' }),
    occurredAt: time,
    isTest: z.boolean().meta({ description: 'Registered with a test key.' }),
    createdAt: time,
    deliveries: z.array(deliveryBody).meta({ description: 'One delivery per platform connection of your account.' }),
    adjustments: z.array(adjustmentBody).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'Conversion' });

const adjustmentView = (adjustment: ConversionRecord['adjustments'][number]): z.infer<typeof adjustmentBody> => ({
  id: adjustment.id,
  kind: adjustment.kind,
  amount: Number(adjustment.amount),
  occurredAt: adjustment.occurredAt.toISOString(),
  adjustmentExternalReference: adjustment.externalReference,
  createdAt: adjustment.createdAt.toISOString(),
  deliveries: adjustment.deliveries.map(deliveryView),
});

const conversionView = (conversion: ConversionRecord): z.infer<typeof conversionBody> => {
  const {
    externalReference,
    eventName,
    amount,
    originalAmount,
    netAmount,
    items,
    occurredAt,
    createdAt,
    clicks,
    deliveries,
    adjustments,
    ...same
  } = conversion;
  return {
    ...same,
    ...(eventName !== null && { eventName }),
    amount: Number(amount),
    originalAmount: Number(originalAmount),
    ...(netAmount !== null && { netAmount: Number(netAmount) }),
    ...(items !== null && {
      items: items.map(({ price, ...item }) => ({ ...item, ...(price !== undefined && { price: Number(price) }) })),
    }),
    conversionExternalReference: externalReference,
    occurredAt: occurredAt.toISOString(),
    createdAt: createdAt.toISOString(),
    clicks: clicks.map(({ clickedAt, ...one }) => ({ ...one, clickedAt: clickedAt.toISOString() })),
    deliveries: deliveries.map(deliveryView),
    adjustments: adjustments.map(adjustmentView),
  };
};

const conversionReply = {
  description: 'The conversion, with its delivery to each platform and its adjustments.',
  body: conversionBody,
  example: {
    id: 31,
    clientId: 7,
    leadId: 12,
    clicks: [
      {
        leadId: 12,
        leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
        clickedAt: '2026-11-20T18:31:00.000Z',
        page: 'summer-offer',
        campaign: 'summer',
        counted: true,
      },
    ],
    amount: 99.9,
    originalAmount: 149.9,
    currency: 'USD',
    conversionExternalReference: 'order-8731',
    eventId: 'order-8731',
    occurredAt: '2026-11-21T12:00:00.000Z',
    isTest: false,
    createdAt: '2026-11-21T12:00:00.000Z',
    deliveries: [
      {
        connection: { id: 2, label: 'Shop in Argentina' },
        platform: 'meta',
        state: 'delivered',
        reason: null,
        attempts: 1,
        nextAttemptAt: null,
        closedAt: '2026-11-21T12:00:00.420Z',
        note: null,
        confirmed: null,
      },
      {
        connection: { id: 3, label: '1234567890/987654321' },
        platform: 'google',
        state: 'pending',
        reason: 'HTTP 503',
        attempts: 1,
        nextAttemptAt: '2026-11-21T12:00:17.000Z',
        closedAt: null,
        note: null,
        confirmed: null,
      },
    ],
    adjustments: [
      {
        id: 5,
        kind: 'restate',
        amount: 99.9,
        occurredAt: '2026-11-24T09:30:00.000Z',
        adjustmentExternalReference: 'credit-note-311',
        createdAt: '2026-11-24T09:30:02.000Z',
        deliveries: [
          {
            connection: { id: 2, label: 'Shop in Argentina' },
            platform: 'meta',
            state: 'skipped',
            reason: 'not_supported',
            attempts: 0,
            nextAttemptAt: null,
            closedAt: '2026-11-24T09:30:02.150Z',
            note: null,
            confirmed: null,
          },
        ],
      },
    ],
  },
} as const;

export const readConversion = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/conversion/:id',
  subject: 'Conversions',
  summary: 'Read a conversion',
  description: 'Returns a conversion and its delivery to each platform of your account.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: { 200: conversionReply },
  refusals: ['conversion-unknown'],
  async handle({ input, response }, { reading }) {
    const found = await readRegistered(reading, modeOf(response), input);
    if (!found) throw new Refusal('conversion-unknown');
    return { status: 200, body: conversionView(found) };
  },
});

export const findConversion = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/conversion',
  subject: 'Conversions',
  summary: 'Find a conversion by your own reference',
  description: 'Returns the same as reading it by its id.',
  input: z.object({
    externalReference: requiredText(255).meta({
      param: { description: 'The `conversionExternalReference` of the conversion.', example: 'order-8731' },
    }),
  }),
  headers: nothing,
  replies: { 200: conversionReply },
  refusals: ['conversion-unknown.reference'],
  async handle({ input, response }, { reading }) {
    const found = await readRegistered(reading, modeOf(response), input);
    if (!found) throw new Refusal('conversion-unknown.reference');
    return { status: 200, body: conversionView(found) };
  },
});

const limits = { standard: 50, max: 200 } as const;
const limitExpected = `expected a whole number from 1 to ${limits.max}`;
const limitSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, limitExpected)
  .transform(Number)
  .refine((limit) => limit <= limits.max, limitExpected);

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: `expected ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` });

const input = z
  .object({
    from: optionalQuery(daySchema).meta({
      param: {
        description: 'First day on which they occurred, in the time zone of your account.',
        example: '2026-11-01',
      },
    }),
    to: optionalQuery(daySchema).meta({
      param: {
        description: 'Last day on which they occurred, in the time zone of your account.',
        example: '2026-11-30',
      },
    }),
    platform: optionalQuery(oneOf(platformNames)).meta({
      enum: platformNames,
      param: { description: 'Only conversions with a delivery to this platform.', example: 'meta' },
    }),
    state: optionalQuery(oneOf(deliveryStates)).meta({
      enum: deliveryStates,
      param: {
        description: 'Only conversions with a delivery in this state; with `platform`, a delivery to that platform.',
        example: 'failed',
      },
    }),
    limit: optionalQuery(limitSchema).meta({
      type: 'integer',
      minimum: 1,
      maximum: limits.max,
      param: { description: `Items per page: 1 to ${limits.max}, by default ${limits.standard}.`, example: 50 },
    }),
    after: optionalQuery(positionSchema).meta({
      param: { description: 'The `next` of the page before, with the same other parameters.' },
    }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: 'is after to',
  });

const { example } = conversionReply;

export const listConversions = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/conversions',
  subject: 'Conversions',
  summary: 'List conversions',
  description:
    'Returns the conversions of your account, newest first by `occurredAt`, each as reading it by its id does. Repeat the request with `after` until `next` is `null`: a page may have fewer items than `limit`, or none, although there are more. `platform` and `state` find conversions whose deliveries are still stored.',
  input,
  headers: nothing,
  replies: {
    200: {
      description: 'A page of conversions.',
      body: z.object({
        items: z.array(conversionBody),
        next: z.string().nullable().meta({ description: 'Send it as `after` to get the next page; `null`: the end.' }),
      }),
      example: { items: [example], next: writePosition({ occurredAt: '2026-11-21T12:00:00.000000Z', id: example.id }) },
    },
  },
  async handle({ input: { from, to, limit = limits.standard, ...filter }, response }, { reading }) {
    const mode = modeOf(response);
    const times = await timesOf(reading, mode.accountId, { from, to });
    const { items, next } = await listRegistered(reading, mode, { ...filter, limit, ...times });
    return { status: 200, body: { items: items.map(conversionView), next: next ? writePosition(next) : null } };
  },
});
