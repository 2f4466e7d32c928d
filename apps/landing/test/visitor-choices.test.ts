import {
  askErasure,
  decryptSubject,
  erasureKeys,
  openErasuresPerNetwork,
} from '@leadback/core/erasure/ask/ask-erasure';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { Erasure, Lead, type Pool, eraseAlone, transaction } from '@leadback/db';
import { isSignedReceipt, newLeadProof, receiptSigner } from '@leadback/domain/keys';
import {
  eventually,
  givenAccount,
  givenClient,
  givenConnection,
  givenDelivery,
  givenLead,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decryptHandle, encryptHandle, leadHandleKeys } from '../src/visitor/lead-handle.ts';
import { cookieSet, givenLanding, handlesIn, referenceIn, sentBack, type TestLanding } from './given-landing.ts';

const handleKeys = leadHandleKeys(secretsKeys);
const wishes = async (pool: Pool) => (await pool.query('select from consent_withdrawal')).rows.length;
const foreign = { 'sec-fetch-site': 'cross-site' };

/** Asks for the erasure of a click of its own, without a question. */
const eraseClick = async (on: TestLanding, slug: string, address: string) => {
  const network = { 'x-forwarded-for': address };
  const headers = { ...network, ...sentBack(await on.visit(`/${slug}`, { headers: network })) };
  const [handle = ''] = handlesIn((await on.visit('/data', { headers })).html);
  const ask = () => on.visit('/data/erase', { form: { handle, confirmed: 'yes' }, headers });
  return { ...(await ask()), ask };
};

describe('what visitors decide about their data', async () => {
  const landing = await shared(givenLanding());

  const stored = (reference: string, on = landing) => on.database.em().findOneOrFail(Lead, { reference });
  const erasuresOf = async (accountId: number) => landing.database.em().find(Erasure, { accountId });

  /** A click, and the page that its browser sees. */
  const givenClick = async (on = landing) => {
    const page = await on.givenPage({ mode: 'direct' });
    const left = await on.visit(`/${page.slug}?gclid=G1`);
    const headers = sentBack(left);
    const [handle = ''] = handlesIn((await on.visit('/data', { headers })).html);
    return { page, reference: referenceIn(left.location), headers, handle };
  };

  it('withdraws consent once, and keeps the time of the first wish', async () => {
    const { reference, headers, handle } = await givenClick();
    const { status, html } = await landing.visit('/data/consent', { form: { handle }, headers });
    expect(status).toBe(200);
    expect(html).toContain('Consent is withdrawn');
    expect(html).toContain('nothing more is sent');
    expect(html).not.toContain('formaction="/data/consent"');
    const { consentWithdrawnAt } = await stored(reference);
    expect(consentWithdrawnAt).toBeInstanceOf(Date);
    await landing.visit('/data/consent', { form: { handle }, headers });
    expect((await stored(reference)).consentWithdrawnAt).toEqual(consentWithdrawnAt);
  });

  it('withdraws consent for a lead that was looked up after a question, and for no other', async () => {
    const [lead, other] = [await givenLead(landing.database.em()), await givenLead(landing.database.em())];
    const [handle = ''] = handlesIn((await landing.visit('/data', { form: { reference: lead.reference } })).html);
    const question = await landing.visit('/data/consent', { form: { handle } });
    expect(question.html).toContain('Withdraw the consent of this click?');
    expect((await stored(lead.reference)).consentWithdrawnAt).toBeNull();
    const [again = ''] = handlesIn(question.html);
    const { html } = await landing.visit('/data/consent', { form: { handle: again, confirmed: 'yes' } });
    expect(html).toContain('nothing more is sent');
    expect(handlesIn(html)).toHaveLength(1);
    expect((await stored(other.reference)).consentWithdrawnAt).toBeNull();
  });

  it('lets a network without the cookies withdraw the consent of few leads of an account, and is open to who has one', async () => {
    await using limited = await givenLanding({ withdrawalBurst: 2 });
    const account = await givenAccount(limited.database.em());
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const withdraw = async (address: string, of = account) => {
      const { reference } = await givenLead(limited.database.em(), { account: of });
      const from = { headers: { 'x-forwarded-for': address } };
      const [handle = ''] = handlesIn((await limited.visit('/data', { form: { reference }, ...from })).html);
      const reply = await limited.visit('/data/consent', { form: { handle, confirmed: 'yes' }, ...from });
      return { reply, isWithdrawn: (await stored(reference, limited)).consentWithdrawnAt !== null };
    };
    for (const last of [1, 2]) {
      expect(await withdraw(`203.0.113.${last}`)).toMatchObject({ reply: { status: 200 }, isWithdrawn: true });
    }
    const { reply, isWithdrawn } = await withdraw('203.0.113.3');
    expect([reply.status, reply.headers['retry-after'], isWithdrawn]).toEqual([429, '3600', false]);
    expect(await withdraw('203.0.114.1')).toMatchObject({ isWithdrawn: true });
    expect(await withdraw('203.0.113.4', await givenAccount(limited.database.em()))).toMatchObject({
      isWithdrawn: true,
    });

    const page = await limited.givenPage({ account, mode: 'direct' });
    const left = await limited.visit(`/${page.slug}`, { headers });
    const own = { headers: { ...headers, ...sentBack(left) } };
    const [handle = ''] = handlesIn((await limited.visit('/data', own)).html);
    expect((await limited.visit('/data/consent', { form: { handle }, ...own })).status).toBe(200);
  });

  it('finds the lead of a browser to which other sites of the domain have given cookies of the same name', async () => {
    const { reference, headers } = await givenClick();
    const cookie = `${`lead-${reference.charAt(0)}=forged; `.repeat(20)}${headers.cookie}`;
    expect(handlesIn((await landing.visit('/data', { headers: { cookie } })).html)).toHaveLength(1);
  });

  it('keeps the wish for a lead that is buffered until it is recorded', async () => {
    await using alone = await givenLanding();
    const page = await alone.givenPage({ mode: 'direct', title: 'Buffered offer' });
    await alone.visit(`/${page.slug}`);
    alone.loseDatabase();
    const left = await alone.visit(`/${page.slug}?gclid=G1`);
    const reference = referenceIn(left.location);
    const headers = sentBack(left);
    const { pool } = alone.database;
    await transaction(pool, async (on) => {
      await eraseAlone(on, page.account.id); // buffered leads of the account wait for it
      await alone.findDatabaseAgain();
      const { html } = await alone.visit('/data', { headers });
      expect(html).toContain('Buffered offer');
      expect(html).toContain('still being recorded');
      const [handle = ''] = handlesIn(html);
      const { html: after } = await alone.visit('/data/consent', { form: { handle }, headers });
      expect(after).toContain('Consent is withdrawn');
      expect(await wishes(pool)).toBe(1);
    });
    await eventually(async () => {
      expect((await stored(reference, alone)).consentWithdrawnAt).toBeInstanceOf(Date);
      expect(await wishes(pool)).toBe(0);
    });
    // the proof was buffered with it
    expect((await alone.visit('/data', { headers })).html).toContain('IP address');
  });

  it('asks before it erases, and then for one erasure, however often the form is sent', async () => {
    const { page, reference, headers, handle } = await givenClick();
    const question = await landing.visit('/data/erase', { form: { handle }, headers });
    expect(question.html).toContain('Erase this data?');
    expect(await erasuresOf(page.account.id)).toEqual([]);
    const [again = ''] = handlesIn(question.html);
    const form = { handle: again, confirmed: 'yes' };
    const replies = [];
    for (let count = 0; count < 2; count += 1) replies.push(await landing.visit('/data/erase', { form, headers }));
    const [erasure, ...others] = await erasuresOf(page.account.id);
    expect(others).toEqual([]);
    expect(erasure).toMatchObject({ askedBy: 'visitor', actor: 'visitor', namedBy: 'lead', state: 'pending' });
    const subject = decryptSubject(erasureKeys(secretsKeys), page.account.id, Buffer.from(erasure?.subject ?? ''));
    expect(subject).toEqual({ leadReference: reference, proof: expect.stringMatching(/^[0-9A-Za-z]{22}$/) });
    expect(erasure?.network).toMatch(/^[0-9A-Za-z]{12}$/);
    for (const { status, html } of replies) {
      expect(status).toBe(200);
      expect(html).toContain(`href="/data/receipt/${erasure?.id}"`);
    }
    const [first = question] = replies;
    expect(cookieSet(first, `lead-${reference.charAt(0)}`)).toMatch(/^lead-.=; Max-Age=0; Path=\/data;/);
    expect((await landing.visit(`/data/receipt/${erasure?.id}`)).html).toContain('The erasure is in progress.');
  });

  it('lets the account decide on a lead that this browser has not left, after a question, and keeps its cookies', async () => {
    const { page, reference } = await givenClick();
    const { headers } = await givenClick();
    const looked = await landing.visit('/data', { form: { reference }, headers });
    expect(looked.html).toContain('Ask the advertiser to erase');
    for (const hidden of ['IP address', 'Erase this data']) expect(looked.html).not.toContain(hidden);
    const [handle = ''] = handlesIn(looked.html);
    const question = await landing.visit('/data/erase', { form: { handle }, headers });
    expect(question.html).toContain('Ask the advertiser to erase this data?');
    expect(await erasuresOf(page.account.id)).toEqual([]);
    const form = { handle: handlesIn(question.html)[0] ?? '', confirmed: 'yes' };
    const reply = await landing.visit('/data/erase', { form, headers });
    expect(reply.html).toContain('The advertiser was asked');
    expect(reply.headers['set-cookie']).toBeUndefined();
    const [erasure] = await erasuresOf(page.account.id);
    const subject = decryptSubject(erasureKeys(secretsKeys), page.account.id, Buffer.from(erasure?.subject ?? ''));
    expect(subject).toEqual({ leadReference: reference });
  });

  it.each([
    ['another site', foreign],
    ['a page that hides its origin', { origin: 'null' }],
    ['another host', { origin: 'https://elsewhere.example' }],
  ])('changes nothing for a form of %s', async (_, headers) => {
    const { page, reference, handle } = await givenClick();
    for (const path of ['/data/consent', '/data/erase']) {
      const { status, html } = await landing.visit(path, { form: { handle, confirmed: 'yes' }, headers });
      expect(status).toBe(422);
      expect(html).toContain('Nothing was changed');
    }
    expect((await landing.visit('/data', { form: { reference }, headers })).status).toBe(422);
    expect((await stored(reference)).consentWithdrawnAt).toBeNull();
    expect(await erasuresOf(page.account.id)).toEqual([]);
  });

  it('changes nothing for a form without a handle, with a forged one, or with one that is half an hour old', async () => {
    const { page, reference, handle } = await givenClick();
    const known = decryptHandle(handleKeys, handle, Date.now());
    if (!known) throw new Error('the page has a handle that does not open');
    const old = encryptHandle(handleKeys, known, Date.now() - 31 * 60_000);
    for (const encrypted of ['', 'x', `${handle.slice(0, -4)}AAAA`, old]) {
      for (const path of ['/data/consent', '/data/erase']) {
        expect((await landing.visit(path, { form: { handle: encrypted, confirmed: 'yes' } })).status).toBe(422);
      }
    }
    expect((await stored(reference)).consentWithdrawnAt).toBeNull();
    expect(await erasuresOf(page.account.id)).toEqual([]);
  });

  it('has handles without the lead reference, which differ each time', async () => {
    const { reference, headers, handle } = await givenClick();
    const [other = ''] = handlesIn((await landing.visit('/data', { headers })).html);
    expect(other).not.toBe(handle);
    expect(Buffer.from(handle, 'base64url').toString('latin1')).not.toContain(reference);
  });

  describe('a browser that asks for erasures', () => {
    it('is refused once its network has asked too often, however many clicks of its own it has', async () => {
      await using limited = await givenLanding({ erasureBurst: 2 });
      const erase = async (address: string) => {
        const { slug } = await limited.givenPage({ mode: 'direct' });
        return eraseClick(limited, slug, address);
      };
      const statuses = [];
      for (const last of [1, 2, 3]) statuses.push((await erase(`203.0.113.${last}`)).status);
      expect(statuses).toEqual([200, 200, 429]);
      const refused = await erase('203.0.113.4');
      expect([refused.headers['retry-after'], refused.html]).toEqual(['60', expect.stringContaining('in a minute')]);
      expect((await erase('203.0.114.1')).status).toBe(200);
      expect((await erase('2001:db8:1:1::1')).status).toBe(200);
      expect((await erase('2001:db8:1:2::1')).status).toBe(200);
      expect((await erase('2001:db8:1:3::1')).status).toBe(429);
    });

    it('is refused while too many of its network are open in the account, and gets the receipt of those that are', async () => {
      const { slug } = await landing.givenPage({ mode: 'direct' });
      const erase = (address: string) => eraseClick(landing, slug, address);
      const first = await erase('198.51.100.1');
      for (let more = 1; more < openErasuresPerNetwork; more += 1) {
        expect((await erase(`198.51.100.${more}`)).status).toBe(200);
      }
      const refused = await erase('198.51.100.250');
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
      expect(refused.html).toContain('write to the advertiser');
      expect(refused.headers['set-cookie']).toBeUndefined();
      const again = await first.ask();
      expect([again.status, again.html]).toEqual([200, first.html]);
      expect((await erase('198.51.101.1')).status).toBe(200);
    });
  });
});

const json = { accept: 'application/json' };
const signedSchema = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string(), state: z.string() });
const keysSchema = z.object({
  keys: z.array(z.object({ id: z.string(), algorithm: z.literal('Ed25519'), publicKey: z.base64() })),
});

describe('the receipt of an erasure', async () => {
  const landing = await shared(givenLanding());

  /** A visitor's erasure, performed as an api does. */
  const givenReceipt = async (): Promise<{ id: string; email: string }> => {
    const em = landing.database.em();
    const email = 'ana@example.com';
    const { proof, hash } = newLeadProof();
    const connection = await givenConnection(em, { platform: 'meta' });
    const account = await connection.account.loadOrFail();
    const client = await givenClient(em, {
      account,
      email,
      lead: { ipAddress: '203.0.113.7', proofHash: Buffer.from(hash, 'hex') },
    });
    await givenDelivery(em, { connection, client, state: 'delivered' });
    const { reference } = await client.lead.loadOrFail();
    const id = await askErasure(landing.database.pool, erasureKeys(secretsKeys), {
      accountId: account.id,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference: reference, proof },
    });
    await performNextErasure(landing.database.pool, erasureTools(secretsKeys, 30));
    return { id, email };
  };

  it.each([
    ['en', ['The data are erased. The signature is right', 'Customers: 1', 'Clicks: 1', 'Meta: 1, last on', 'Backups']],
    [
      'es',
      [
        'Los datos están borrados. La firma es correcta',
        'Clientes: 1',
        'Meta: 1, la última vez',
        'Copias de seguridad',
      ],
    ],
    [
      'pt',
      [
        'Os dados foram apagados. A assinatura está correta',
        'Cliques: 1',
        'Meta: 1, a última vez',
        'Cópias de segurança',
      ],
    ],
  ])('says in %s what was erased, what stays, who had been told, and that it is signed', async (language, texts) => {
    const { id, email } = await givenReceipt();
    const { status, html } = await landing.visit(`/data/receipt/${id}`, { headers: { 'accept-language': language } });
    expect(status).toBe(200);
    for (const text of texts) expect(html).toContain(text);
    expect(html).not.toContain(email);
  });

  it('is signed by a key that is published', async () => {
    const { id } = await givenReceipt();
    const { receipt, signature, keyId } = signedSchema.parse(
      JSON.parse((await landing.visit(`/data/receipt/${id}`, { headers: json })).html),
    );
    const published = await landing.visit('/.well-known/leadback-receipts.json');
    expect(published.headers['cache-control']).toBe('public, max-age=300');
    const { keys } = keysSchema.parse(JSON.parse(published.html));
    const key = keys.find((one) => one.id === keyId);
    const publicKey = Buffer.from(key?.publicKey ?? '', 'base64');
    expect(publicKey).toEqual(Buffer.from(receiptSigner(secretsKeys).publicKey));
    expect(isSignedReceipt({ id: keyId, publicKey }, receipt, signature)).toBe(true);
    expect(JSON.parse(receipt)).toMatchObject({ id, askedBy: 'visitor', erased: { clients: 1, leads: 1 } });
  });

  it('says that its signature is wrong if the stored text was changed', async () => {
    const { id } = await givenReceipt();
    await landing.database.pool.query(
      `update erasure set receipt = replace(receipt, '"leads":1', '"leads":2') where id = $1`,
      [id],
    );
    expect((await landing.visit(`/data/receipt/${id}`)).html).toContain('The signature is wrong');
  });

  it.each(['0'.repeat(22), 'x', '%27'])('does not exist for the id %s', async (id) => {
    expect((await landing.visit(`/data/receipt/${id}`)).status).toBe(404);
  });
});
