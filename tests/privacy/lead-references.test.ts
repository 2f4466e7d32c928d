import { askedErasureDays, roles } from '@leadback/domain';
import { eventually, givenAccount, givenApiKey, givenLandingPage, unique } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, type TestApi } from '../../apps/api/test/given-api.ts';
import { mayDo } from '../../apps/console/src/sessions/authenticate.ts';
import { givenConsole, givenEraser, type TestConsole } from '../../apps/console/test/given-console.ts';
import {
  cookieSet,
  givenLanding,
  handlesIn,
  referenceIn,
  sentBack,
  type TestLanding,
} from '../../apps/landing/test/given-landing.ts';

const storySchema = z.object({ lead: z.object({ reference: z.string() }) });
const clientSchema = z.looseObject({ id: z.number(), contact: z.string().nullable() });
const askedSchema = z.object({ items: z.array(z.object({ id: z.string(), leadReference: z.string() })) });

/** Landing, api and console on one database, whose erasures are performed. */
describe('a lead reference, which goes through URLs', () => {
  let console: TestConsole;
  let api: TestApi;
  let landing: TestLanding;
  let eraser: AsyncDisposable;
  beforeAll(async () => {
    console = await givenConsole();
    api = await givenApi({ database: console.database });
    landing = await givenLanding({ database: console.database });
    eraser = await givenEraser(console);
  });
  afterAll(async () => {
    for (const one of [eraser, landing, api, console]) await one[Symbol.asyncDispose]();
  });

  /** A click whose visitor became a client with a sale. */
  const givenClient = async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    const key = await givenApiKey(em, { account });
    const page = await givenLandingPage(em, { account, mode: 'direct' });
    const left = await landing.visit(`/${page.slug}?gclid=G1&utm_campaign=verano`);
    const reference = referenceIn(left.location);
    const name = unique('customer');
    const client = { name: 'Ana Pérez', email: `${name}@example.com`, phoneNumber: '+54 11 5555 0199' };
    const { status } = await api.send('POST', '/api/v1/client', {
      key,
      body: { ...client, leadReference: reference, externalReference: name },
    });
    expect(status).toBe(201);
    const stored = async () => {
      const { rows } = await console.database.pool.query<{ client: unknown }>(
        'select to_jsonb(client) as client from client where account_id = $1',
        [account.id],
      );
      return clientSchema.parse(rows[0]?.client);
    };
    const sell = async () => {
      const sale = { amount: 5000, currency: 'USD', clientExternalReference: name };
      return (await api.send('POST', '/api/v1/client/conversion', { key, body: sale })).status;
    };
    return { account, key, page, left, reference, stored, sell, before: await stored() };
  };

  type Given = Awaited<ReturnType<typeof givenClient>>;

  /** Sees and erases all that the page lets this sender see and erase. */
  const eraseAsFarAsPossible = async (reference: string, headers: Record<string, string> = {}) => {
    const from = { 'x-forwarded-for': '198.51.100.200', ...headers };
    const pages = [
      await landing.visit('/data', { headers: from }),
      await landing.visit('/data', { headers: from, form: { reference } }),
    ];
    for (const { html } of pages) {
      for (const handle of handlesIn(html)) {
        const question = await landing.visit('/data/erase', { headers: from, form: { handle } });
        for (const again of handlesIn(question.html)) {
          pages.push(await landing.visit('/data/erase', { headers: from, form: { handle: again, confirmed: 'yes' } }));
        }
      }
    }
    return pages.map(({ html }) => html).join('\n');
  };

  const expectUnchanged = async ({ key, reference, stored, sell, before }: Given, seen: string, isKnown: boolean) => {
    for (const hidden of ['A***', 'P***', '@e***', '*** 99', '127.0.0', '198.51']) expect(seen).not.toContain(hidden);
    const asked = async () => askedSchema.parse((await api.send('GET', '/api/v1/client/erasure', { key })).body).items;
    if (isKnown) {
      expect(seen).toContain('Campaign');
      expect(seen).toContain(`within ${askedErasureDays} days`);
      await eventually(async () =>
        expect(await asked()).toContainEqual(expect.objectContaining({ leadReference: reference })),
      );
    }
    expect(await stored()).toEqual(before);
    expect(await sell()).toBe(201);
  };

  it('shows nothing that was registered, and erases nothing, in the form of the page', async () => {
    const given = await givenClient();
    const seen = await eraseAsFarAsPossible(given.reference);
    expect(seen).toContain('shop.example');
    await expectUnchanged(given, seen, true);
  });

  it.each([
    ['as it was written before', ({ reference }: Given) => `${reference}.1`],
    ['with the page', ({ reference, page }: Given) => `${reference}.${page.id}`],
    [
      'with an invented proof and signature',
      ({ reference, page }: Given) => `${reference}.${page.id}.${'p'.repeat(22)}.${'s'.repeat(16)}`,
    ],
    [
      'with the signature of the cookie of another click',
      async ({ reference, page }: Given) => {
        const other = await landing.visit(`/${page.slug}`);
        const first = referenceIn(other.location).charAt(0);
        const [, , proof, signature] = (cookieSet(other, `lead-${first}`).split(';')[0] ?? '').split('.');
        return `${reference}.${page.id}.${proof}.${signature}`;
      },
    ],
  ])('proves nothing in a cookie made by hand, %s', async (_, write) => {
    const given = await givenClient();
    const cookie = `lead-${given.reference.charAt(0)}=${await write(given)}`;
    expect(handlesIn((await landing.visit('/data', { headers: { cookie } })).html)).toEqual([]);
    await expectUnchanged(given, await eraseAsFarAsPossible(given.reference, { cookie }), true);
  });

  it.each(roles)('erases nothing as the role %s reads it in the story of a click', async (role) => {
    const given = await givenClient();
    const { account, before } = given;
    const person = await console.person({ role, accounts: [account.id] });
    const { body } = await person.get(`/api/accounts/${account.id}/story?client=${before.id}`);
    const { reference } = storySchema.parse(body).lead;
    const isWhole = mayDo(role, 'erase');
    expect(reference === given.reference).toBe(isWhole);
    await expectUnchanged(given, await eraseAsFarAsPossible(reference), isWhole);
  });

  it('withdraws consent after a question, in the form of the page', async () => {
    const { reference } = await givenClient();
    const withdrawn = async () =>
      (
        await console.database.pool.query<{ at: string | null }>(
          'select consent_withdrawn_at as at from lead where reference = $1',
          [reference],
        )
      ).rows[0]?.at;
    const [handle = ''] = handlesIn((await landing.visit('/data', { form: { reference } })).html);
    const question = await landing.visit('/data/consent', { form: { handle } });
    expect(await withdrawn()).toBeNull();
    const [again = ''] = handlesIn(question.html);
    await landing.visit('/data/consent', { form: { handle: again, confirmed: 'yes' } });
    expect(await withdrawn()).toEqual(expect.any(String));
  });

  it('with the cookie that landing has set shows what was registered, and erases the lead and its client', async () => {
    const { reference, left, stored, sell } = await givenClient();
    const seen = await eraseAsFarAsPossible(reference, sentBack(left));
    for (const shown of ['A*** P***', '@e***.com', '+54 *** 99', '127.0.0.*', 'Your data are being erased']) {
      expect(seen).toContain(shown);
    }
    await eventually(async () => expect(await stored()).toMatchObject({ external_reference: null, contact: null }));
    expect(await sell()).toBe(404);
  });

  it('of a lead that is not recorded yet names no account by a cookie with the page of another', async () => {
    const em = console.database.em();
    const [page, other] = [await givenLandingPage(em, { mode: 'direct' }), await givenLandingPage(em)];
    const left = await landing.visit(`/${page.slug}`);
    const reference = referenceIn(left.location);
    await console.database.pool.query(`update lead set reference = 'other ' || id where reference = $1`, [reference]);
    const cookie =
      sentBack(left)
        .cookie.split('; ')
        .find((one) => one.startsWith('lead-')) ?? '';
    expect(handlesIn((await landing.visit('/data', { headers: { cookie } })).html)).toHaveLength(1);
    const mixed = cookie.replace(`${reference}.${page.id}.`, `${reference}.${other.id}.`);
    expect(handlesIn((await landing.visit('/data', { headers: { cookie: mixed } })).html)).toEqual([]);
  });
});
