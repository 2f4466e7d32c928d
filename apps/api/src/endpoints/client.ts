import { endpoint, endpointWithParameters, jsonBatchBody, addToRequestLog, nothing } from '@leadback/server/http';
import { clientSchema } from '@leadback/core/clients/register';
import { readClicks, readClient as readRegistered } from '@leadback/core/clients/read';
import { adviceTexts, type MatchFacts, readMatchFacts } from '@leadback/core/quality/quality';
import { z } from 'zod';
import {
  eventAgeMaxMs,
  type MatchKey,
  matchKeysOf,
  type PlatformName,
  platformNames,
  Refusal,
  type Warning,
  warningText,
} from '@leadback/domain';
import { isUsablePhoneNumber } from '@leadback/platforms/phone-number';
import { accountNameOf, modeOf, takeTokens } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { traceInLead } from '../events.ts';
import { idempotencyHeaders, idempotencyRefusals, recordId } from './parameters.ts';
import { batchBody, batchInput, batchParameters, batchReply, documentedBatch } from './batch.ts';

/** The field of responses to test keys. */
export const warnings = z.array(z.string()).optional().meta({
  description:
    'Only with a test key: the warnings of `Leadback-Warning` in words, and what you can change so that platforms match more conversions. Empty if there is nothing.',
});

/** References that are an email, by the name of their field. */
export const referenceWarnings = (references: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(references).flatMap(([field, reference]) =>
    reference?.includes('@') === true
      ? [`\`${field}\` is an email. More people see references than emails: send an id of yours.`]
      : [],
  );

/** What would help these platforms to match a client. */
const keyWarnings = (facts: MatchFacts, platforms: readonly PlatformName[]): string[] => {
  const { contact, hasReference, clickIds, country } = facts;
  const taken = new Set(platforms.flatMap((name) => matchKeysOf(name)));
  const takes = (key: MatchKey) => taken.has(key);
  const { email, phoneNumber } = contact;
  const isReadable = phoneNumber === null || isUsablePhoneNumber(phoneNumber, country);
  const takenClicks: ReadonlySet<string> = taken;
  return [
    ...(email === null && takes('email') ? [adviceTexts.email] : []),
    ...(phoneNumber === null && takes('phone') ? [adviceTexts.phone] : []),
    ...(isReadable || !takes('phone') ? [] : [warningText({ code: 'not-usable', field: 'phoneNumber' })]),
    ...(hasReference || !takes('externalId') ? [] : [adviceTexts.externalId]),
    ...(clickIds.some((name) => takenClicks.has(name)) ? [] : [adviceTexts.click]),
  ];
};

/**
 * What would help the platforms of the account to be told of a client's conversion, or of a conversion, and to match it:
 * advice as in the quality report.
 */
export const clientWarnings = (facts: MatchFacts): string[] => {
  const platforms = facts.platforms.length > 0 ? facts.platforms : platformNames;
  if (facts.sharing === 'refused') return [adviceTexts.consent];
  const told = platforms.filter((name) => facts.ageMs === null || facts.ageMs <= eventAgeMaxMs(name));
  return [
    ...(told.length < platforms.length ? [adviceTexts.time] : []),
    ...(told.length > 0 ? keyWarnings(facts, told) : []),
  ];
};

/** The texts for a test key: of what was accepted otherwise than sent, and advice. Each once. */
export const testTexts = (given: readonly Warning[], advice: readonly string[]): string[] => [
  ...new Set([...given.map(warningText), ...advice]),
];

const clientId = z.object({ id: z.int().meta({ description: 'The id of the client.' }), warnings });

export const registerClient = endpoint<ApiContext>()({
  method: 'post',
  path: '/client',
  subject: 'Clients',
  summary: 'Register a client',
  description:
    'Registers the person behind a lead reference. If a client with this `externalReference` exists, returns that client: another lead reference becomes one more click, and missing contact data are filled in. What is known stays as it is. A lead may have several clients.',
  input: clientSchema,
  examples: {
    'All fields': {
      leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
      name: 'Ana García',
      email: 'ana@example.com',
      phoneNumber: '+54 11 2345-6789',
      externalReference: 'customer-1042',
      consent: { adUserData: 'granted', adPersonalization: 'denied' },
    },
    'Required fields only': { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' },
  },
  headers: idempotencyHeaders,
  replies: {
    200: { description: 'The client that already has this `externalReference`.', body: clientId, example: { id: 7 } },
    201: { description: 'A new client.', body: clientId, example: { id: 7 } },
  },
  refusals: [...idempotencyRefusals, 'lead-unknown', 'lead-pending', 'suppressed'],
  async handle({ input, headers, response }, { registerClient: register, intake, contacts, accepted, events }) {
    const startTime = performance.now();
    const mode = modeOf(response);
    const {
      id,
      outcome,
      warnings: told,
      traceParent,
      isRepeated,
    } = await register(mode, input, headers['idempotency-key']);
    if (outcome === 'created') accepted.note('client', mode, id);
    if (!isRepeated) {
      events.clientRegistered(outcome, mode);
      const attributes = { 'leadback.client.id': id };
      traceInLead(response.req.span, { name: 'register client', startTime, traceParent, attributes });
    }
    const facts = mode.isTest ? await readMatchFacts(intake, contacts, mode, { clientId: id }) : undefined;
    const body = {
      id,
      ...(facts && {
        warnings: testTexts(told, [
          ...clientWarnings(facts),
          ...referenceWarnings({ externalReference: input.externalReference }),
        ]),
      }),
    };
    return { status: outcome === 'created' ? 201 : 200, body, warnings: told };
  },
});

const outcomes = ['created', 'existing', 'refused'] as const;

export const registerClients = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/client/batch',
  subject: 'Clients',
  summary: 'Register up to 500 clients',
  description:
    'Registers each item as `POST /client` does, in order, and returns one result per item: an item that is refused does not stop the others. Give each client an `externalReference` or send an `Idempotency-Key`, so that you can send the batch again safely. A lead that is not available yet is refused at once: send the item again. Each item counts as one request of your rate limit.',
  parameters: batchParameters,
  body: jsonBatchBody,
  input: batchInput,
  documented: documentedBatch(clientSchema, 'Clients, as in `POST /client`.'),
  examples: {
    'Two clients': {
      items: [
        { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs', externalReference: 'customer-1042', email: 'ana@example.com' },
        { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs', externalReference: 'customer-1043', name: 'Eva García' },
      ],
    },
  },
  headers: idempotencyHeaders,
  replies: {
    200: {
      description: 'The outcome of each item.',
      body: batchReply(
        outcomes,
        '`created`: a new client. `existing`: the client that already has this `externalReference`, with the click and the contact data that were new. `refused`: see `message`.',
      ),
      example: {
        results: [
          { index: 0, outcome: 'existing', id: 7 },
          { index: 1, outcome: 'created', id: 8 },
        ],
        counts: { created: 1, existing: 1, refused: 0 },
        dryRun: false,
      },
    },
  },
  async handle({ input, parameters, headers, response }, { registerClients: register, accepted, events }) {
    const { dryRun: isDryRun } = parameters;
    const startTime = performance.now();
    takeTokens(response, input.items.length);
    const mode = modeOf(response);
    const found = await register(mode, input.items, { isDryRun }, headers['idempotency-key']);
    for (const client of isDryRun ? [] : found) {
      if (client.outcome === 'refused') continue;
      const { outcome, id, traceParent, isRepeated } = client;
      if (outcome === 'created') accepted.note('client', mode, id);
      if (isRepeated) continue;
      events.clientRegistered(outcome === 'existing' ? 'known' : outcome, mode);
      const attributes = { 'leadback.client.id': id };
      traceInLead(response.req.span, { name: 'register client', startTime, traceParent, attributes });
    }
    const body = batchBody(outcomes, found, isDryRun);
    addToRequestLog(response, { counts: body.counts, isDryRun, isTest: mode.isTest });
    return { status: 200, body };
  },
});

/** A click of a client. */
export const click = z.object({
  leadId: z.int(),
  leadReference: z.string(),
  clickedAt: z.iso.datetime(),
  page: z.string().meta({ description: 'The slug of the landing page.' }),
  campaign: z.string().nullable(),
});

const client = z.object({
  id: z.int(),
  leadId: z.int(),
  leadReference: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  externalReference: z.string().nullable(),
  createdAt: z.iso.datetime(),
  clicks: z.array(click).meta({ description: 'Oldest first: the first one and the newest 100.' }),
});

export const readClient = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/:id',
  subject: 'Clients',
  summary: 'Read a client',
  description: 'Returns a client as registered. Fields that were not sent are `null`.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The client.',
      body: client,
      example: {
        id: 7,
        leadId: 12,
        leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
        name: 'Ana García',
        email: 'ana@example.com',
        phoneNumber: '+54 11 2345-6789',
        externalReference: 'customer-1042',
        createdAt: '2026-11-21T12:00:00.000Z',
        clicks: [
          {
            leadId: 12,
            leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
            clickedAt: '2026-11-20T12:00:00.000Z',
            page: 'verano-ya',
            campaign: 'spring',
          },
        ],
      },
    },
  },
  refusals: ['client-unknown.id'],
  async handle({ input, response }, { reading, contacts }) {
    const found = await readRegistered(reading, contacts, { ...modeOf(response), id: input.id });
    if (!found) throw new Refusal('client-unknown.id');
    const clicks = await readClicks(reading, modeOf(response).accountId, [found.id]);
    const body = {
      ...found,
      createdAt: found.createdAt.toISOString(),
      clicks: (clicks.get(found.id) ?? []).map(({ clickedAt, ...its }) => ({
        ...its,
        clickedAt: clickedAt.toISOString(),
      })),
    };
    return { status: 200, body };
  },
});

const keyMessage = (mode: 'live' | 'test', account: string) =>
  `The API key is valid and active: a ${mode} key of ${account}.`;

export const checkKey = endpoint<ApiContext>()({
  method: 'get',
  path: '/',
  subject: 'API key',
  summary: 'Check the API key',
  description:
    'Confirms that the key is valid and active, and says whether it is a live or a test key and of which account. Changes nothing.',
  input: nothing,
  headers: nothing,
  replies: {
    200: {
      description: 'The key is valid.',
      body: z.object({ message: z.string() }),
      example: { message: keyMessage('live', 'Example Shop') },
    },
  },
  handle: ({ response }) => {
    const mode = modeOf(response).isTest ? 'test' : 'live';
    return Promise.resolve({ status: 200 as const, body: { message: keyMessage(mode, accountNameOf(response)) } });
  },
});
