import { z } from 'zod';
import { endpoint, nothing } from '@leadback/server/http';
import { erasureSchema, confirmWithKey, listAskedErasures as listAsked } from '@leadback/core/erasure/ask/ask-erasure';
import { readErasure as readAsked } from '@leadback/core/erasure/ask/receipt';
import { allowPerson } from '@leadback/core/erasure/erase-person';
import {
  askedErasureDays,
  erasureWays,
  Refusal,
  emailAddressSchema,
  optionalText,
  erasureStates,
} from '@leadback/domain';
import { callerOf, modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { idempotencyHeaders, idempotencyRefusals } from './parameters.ts';

const exampleErasureId = 'b5RdF0eNs8ItC4hVx2PqWy';

const expected = { error: 'expected the id of an erasure: 22 letters and digits' };

const erasureId = z
  .string(expected)
  .regex(/^[0-9A-Za-z]{22}$/, expected)
  .meta({ param: { description: 'The id that `POST /client/erasure` returned.', example: exampleErasureId } });

export const eraseClient = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/erasure',
  subject: 'Clients',
  summary: 'Erase a person',
  description:
    'Erases the personal data of a person for good, within seconds: of clients, their leads, imported rows and reconciled lists. Conversions stay as amounts. Name the person by exactly one field. A live key erases live and test data; a test key erases test clients alone. Whether anybody was found, `GET /client/erasure/{id}` says.',
  input: erasureSchema,
  examples: {
    'By your own identifier': { clientExternalReference: 'customer-1042' },
    'By email': { email: 'ana@example.com' },
    'By lead reference': { leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' },
  },
  headers: idempotencyHeaders,
  replies: {
    202: {
      description: 'The erasure is stored and will be performed.',
      body: z.object({ id: z.string().meta({ description: 'The id of the erasure.' }) }),
      example: { id: exampleErasureId },
    },
  },
  refusals: [...idempotencyRefusals, 'rate-limited.erasures'],
  async handle({ input, headers, response }, { askErasure }) {
    const id = await askErasure(callerOf(response), input, headers['idempotency-key']);
    return { status: 202, body: { id } };
  },
});

const limit = 100;

const asked = z.object({
  id: z.string(),
  leadReference: z.string().meta({ description: 'Of the lead that the visitor named.' }),
  way: z.enum(erasureWays).meta({
    description:
      '`reference`: the visitor had the lead reference alone, which anybody may have read in a URL; nothing is erased. `cookie`: the browser has left the lead, whose data are erased; several clients came from it, who may be several persons.',
  }),
  requestedAt: z.iso.datetime(),
  until: z.iso.datetime().meta({ description: 'Then the request lapses: it is forgotten whom it was about.' }),
});

export const listAskedErasures = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/erasure',
  subject: 'Clients',
  summary: 'List erasures to decide on',
  description: `Returns at most ${limit} erasures that visitors asked for on your landing pages and that wait for you, for ${askedErasureDays} days each. Those of browsers that left the lead come first, then the newest of each network. Ask the person who writes to you, or look whether the lead is theirs, before you confirm one. With a test key, none.`,
  input: z.object({}),
  headers: nothing,
  replies: {
    200: {
      description: 'The erasures.',
      body: z.object({ items: z.array(asked) }),
      example: {
        items: [
          {
            id: exampleErasureId,
            leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
            way: 'reference',
            requestedAt: '2026-11-23T12:00:00.000Z',
            until: '2026-12-23T12:00:00.000Z',
          },
        ],
      },
    },
  },
  refusals: [],
  async handle({ response }, { reading, erasureKeys }) {
    const { accountId, isTest } = modeOf(response);
    const found = isTest ? [] : await listAsked(reading, erasureKeys, accountId, limit);
    const items = found.map(({ requestedAt, until, ...same }) => ({
      ...same,
      requestedAt: requestedAt.toISOString(),
      until: until.toISOString(),
    }));
    return { status: 200, body: { items } };
  },
});

export const confirmErasure = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/erasure/:id/confirmation',
  subject: 'Clients',
  summary: 'Confirm an erasure that a visitor asked for',
  description:
    'Erases the lead and all its clients for good, within seconds, as `POST /client/erasure` with the lead reference. Again, it changes nothing.',
  input: z.object({ id: erasureId }),
  body: 'none',
  headers: nothing,
  replies: {
    202: {
      description: 'The erasure will be performed.',
      body: z.object({ id: z.string() }),
      example: { id: exampleErasureId },
    },
  },
  refusals: ['not-found.erasure', 'rate-limited.erasures'],
  async handle({ input: { id }, response }, { reading }) {
    const { accountId, isTest, actor } = callerOf(response);
    if (isTest || !(await confirmWithKey(reading, { accountId, id, actor }))) throw new Refusal('not-found.erasure');
    return { status: 202, body: { id } };
  },
});

const allowInput = z
  .object(
    {
      erasureId: optionalText(22).meta({ description: 'The id of the erasure that the refusal `suppressed` names.' }),
      email: emailAddressSchema.meta({ description: 'The email with which the person was erased.' }),
      phoneNumber: optionalText(40).meta({ description: 'The phone number with which the person was erased.' }),
    },
    { error: 'expected a JSON object' },
  )
  .refine((names) => Object.values(names).filter((name) => name !== undefined).length === 1, {
    path: ['erasureId'],
    message: 'expected exactly one of erasureId, email and phoneNumber',
  });

export const allowClient = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/allow',
  subject: 'Clients',
  summary: 'Allow an erased person again',
  description:
    'Lets your account register a person again who was erased, and whom it suppresses since (`suppressed`): by email and phone number. Nothing that was erased comes back. Name the person by exactly one field. Again, it changes nothing.',
  input: allowInput,
  examples: {
    'By the erasure': { erasureId: exampleErasureId },
    'By email': { email: 'ana@example.com' },
    'By phone number': { phoneNumber: '+54 9 11 2345-6789' },
  },
  headers: nothing,
  replies: {
    200: {
      description: 'The person can be registered.',
      body: z.object({
        erasureIds: z.array(z.string()).meta({
          description: 'The erasures whose person was suppressed until now; empty: none.',
        }),
      }),
      example: { erasureIds: [exampleErasureId] },
    },
  },
  async handle({ input: person, response }, { intake, contacts }) {
    const { accountId, isTest, actor } = callerOf(response);
    // tests never see live data
    const erasureIds = isTest ? [] : await allowPerson(intake, contacts, { accountId, actor, ...person });
    return { status: 200, body: { erasureIds } };
  },
});

const erasure = z.object({
  id: z.string(),
  state: z.enum(erasureStates).meta({
    description:
      '`asked`: a visitor asked, and you decide, see `GET /client/erasure`. `lapsed`: you did not confirm it in time. `failed`: nothing was erased; ask for it again.',
  }),
  requestedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  receipt: z.string().nullable().meta({
    description:
      'JSON in a text, exactly as it was signed, without personal data: what was erased, what stays and why, which platforms had been told, and until when backups have it.',
  }),
  signature: z.string().nullable().meta({ description: 'Of `receipt`: Ed25519, in base64.' }),
  keyId: z.string().nullable().meta({
    description:
      'Which public key verifies it, of `/.well-known/leadback-receipts.json` on the host of your landing pages.',
  }),
});

export const readErasure = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/erasure/:id',
  subject: 'Clients',
  summary: 'Read an erasure and its receipt',
  description:
    'Returns how far an erasure of the account is, also one that somebody else asked for, and its signed receipt.',
  input: z.object({ id: erasureId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The erasure.',
      body: erasure,
      example: {
        id: exampleErasureId,
        state: 'pending',
        requestedAt: '2026-11-23T12:00:00.000Z',
        finishedAt: null,
        receipt: null,
        signature: null,
        keyId: null,
      },
    },
  },
  refusals: ['not-found.erasure'],
  async handle({ input, response }, { reading }) {
    const { accountId, isTest } = modeOf(response);
    const found = await readAsked(reading, input.id);
    if (found?.accountId !== accountId || found.isTest !== isTest) throw new Refusal('not-found.erasure');
    const { id, state, requestedAt, finishedAt, receipt, signature, keyId } = found;
    const times = { requestedAt: requestedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
    return { status: 200, body: { id, state, ...times, receipt, signature, keyId } };
  },
});
