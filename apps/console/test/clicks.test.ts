import type { Account } from '@leadback/db';
import { givenAccount, givenLandingPage, givenLead, givenNameServer, shared, unique } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { addDomainReply, checkDomainReply, domainsReply } from '../src/contract/domains.ts';
import {
  arrivalsReply,
  changeScriptReply,
  createScriptReply,
  page as pageSchema,
  pagesReply,
} from '../src/contract/pages.ts';
import { givenConsole } from './given-console.ts';

describe('the ways in which clicks arrive, in the console', async () => {
  const dns = await shared(givenNameServer());
  const console = await shared(givenConsole({ nameServer: dns.address }));
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const pathOf = (rest: string, { id } = account) => `/api/accounts/${id}${rest}`;
  const createScript = async (given: object) =>
    createScriptReply.parse(
      (await person.post(pathOf('/pages/script'), { slug: unique('site'), waitsForConsent: false, ...given })).body,
    );
  const givenScript = async () => {
    const created = await createScript({ origins: ['https://shop.example'] });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created.page;
  };

  it('creates a page for the script, which is on at once, with the lines to copy', async () => {
    const slug = unique('site');
    const created = await createScript({ slug, origins: [' https://shop.example/ ', '', 'https://www.shop.example'] });
    expect(created).toMatchObject({
      outcome: 'created',
      page: {
        slug,
        isOn: true,
        draft: { mode: 'script', targetUrl: 'https://shop.example/' },
        apiUrl: 'https://api.example',
        script: {
          origins: ['https://shop.example', 'https://www.shop.example'],
          snippet: `<script defer src="https://go.example/leadback.js" data-page="${slug}"></script>`,
          pinnedSnippet: expect.stringMatching(/integrity="sha384-[^"]+"/),
          plainSnippet: `<script defer src="https://go.example/${slug}.js"></script>`,
        },
      },
    });
    expect(await createScript({ slug, origins: ['https://shop.example'] })).toEqual({ outcome: 'slug-taken' });
  });

  it.each([
    [{ slug: 'No blanks', origins: ['https://shop.example'] }, ['slug']],
    [{ origins: [] }, ['origins']],
    [{ origins: ['shop.example'] }, ['origins']],
    [{ origins: ['https://shop.example/path'] }, ['origins']],
    [{ origins: ['https://192.168.0.1'] }, ['origins']],
    [{ slug: '', origins: ['https://shop.example', 'x'] }, ['slug', 'origins']],
  ])('says what to correct in %j', async (given, problems) => {
    expect(await createScript(given)).toEqual({ outcome: 'invalid', problems });
  });

  it('changes the sites and the consent of a page with the script, and of no other', async () => {
    const { id } = await givenScript();
    const change = (of: number, origins: string[]) =>
      person.post(pathOf(`/pages/${of}/script`), { origins, waitsForConsent: true });
    const changed = changeScriptReply.parse((await change(id, ['https://other.example'])).body);
    expect(changed).toMatchObject({
      outcome: 'saved',
      page: {
        draft: { targetUrl: 'https://other.example/' },
        script: { waitsForConsent: true, snippet: expect.stringContaining('data-consent="wait"') },
      },
    });
    expect((await change(id, [])).body).toEqual({ outcome: 'invalid', problems: ['origins'] });
    const other = await givenLandingPage(console.database.em(), { account });
    expect((await change(other.id, ['https://other.example'])).status).toBe(400);
    const read = pageSchema.parse((await person.get(pathOf(`/pages/${other.id}`))).body);
    expect(read.script).toBeNull();
  });

  it('shows the last click of a page with its source, and nothing of other pages and accounts', async () => {
    const em = console.database.em();
    const { id } = await givenScript();
    const arrivals = async (of = id) => arrivalsReply.parse((await person.get(pathOf(`/pages/${of}/arrivals`))).body);
    await givenLead(em, { account, clickParameters: { gclid: 'other' } });
    expect(await arrivals()).toEqual({ last: null, leads: 0 });
    for (const clickParameters of [{ fbclid: 'F' }, { gclid: 'G', utm_source: 'google', utm_campaign: 'spring' }]) {
      const lead = await givenLead(em, { account, clickParameters });
      await console.database.pool.query('update lead set landing_page_id = $2 where id = $1', [lead.id, id]);
      await console.database.pool.query(
        `insert into metric_increment (account_id, landing_page_id, campaign, measure, change, at) values ($1, $2, '', 'leads', 1, now())`,
        [account.id, id],
      );
    }
    const last = { platform: 'google', source: 'google', campaign: 'spring', isTest: false, at: expect.any(String) };
    expect(await arrivals()).toEqual({ last, leads: 2 });
    const foreign = await givenLandingPage(em);
    expect((await person.get(pathOf(`/pages/${foreign.id}/arrivals`))).status).toBe(404);
  });

  it('shows the last click that the server of the account reported, also one of a test', async () => {
    const arrivals = async (of = account) =>
      arrivalsReply.parse((await person.get(pathOf('/server-arrivals', of))).body);
    expect(await arrivals()).toEqual({ last: null, leads: 0 });
    const { rows } = await console.database.pool.query<{ id: number }>(
      `insert into landing_page (account_id, slug, target_url, is_on, is_of_server, mode)
       values ($1, $2, 'https://shop.example/', false, true, 'direct') returning id`,
      [account.id, unique('server')],
    );
    await console.database.pool.query(
      `insert into lead (account_id, landing_page_id, reference, click_parameters, is_test) values ($1, $2, $3, '{"ttclid": "T"}', true)`,
      [account.id, rows[0]?.id, unique('reference')],
    );
    expect(await arrivals()).toMatchObject({ last: { platform: 'tiktok', source: null, isTest: true }, leads: 0 });
    expect((await arrivals(await givenAccount(console.database.em()))).last).toBeNull();
    // it is named as what it is: nobody can visit it
    const listed = pagesReply.parse((await person.get(pathOf('/pages'))).body).items;
    expect(listed.filter(({ isOfServer }) => isOfServer).map(({ id }) => id)).toEqual([Number(rows[0]?.id)]);
    expect((await person.get(pathOf(`/pages/${rows[0]?.id}`))).body).toMatchObject({ isOfServer: true });
  });

  it('adds a domain with the record to create, says what is wrong with it until it leads here, and removes it', async () => {
    const name = `go.${unique('shop')}.example`;
    const landing = { 'go.example': { A: '203.0.113.7' } };
    dns.serve(landing);
    const add = async (typed: string, to = account) =>
      addDomainReply.parse((await person.post(pathOf('/domains', to), { name: typed })).body);
    const added = await add(` ${name.toUpperCase()} `);
    if (added.outcome !== 'added') throw new Error(added.outcome);
    const { id } = added.domain;
    expect(added.domain).toMatchObject({
      name,
      state: 'waiting',
      record: { type: 'CNAME', host: name, value: 'go.example' },
      isProved: false,
      checkedAt: null,
    });
    const check = async () => checkDomainReply.parse((await person.post(pathOf(`/domains/${id}/check`), {})).body);
    expect(await check()).toMatchObject({
      isAnswered: true,
      domain: { state: 'waiting', finding: { kind: 'missing' } },
    });
    dns.serve({ ...landing, [name]: { A: '198.51.100.1' } });
    expect(await check()).toMatchObject({
      domain: { state: 'wrong', finding: { kind: 'other-addresses', addresses: ['198.51.100.1'] } },
    });
    dns.serve({ ...landing, [name]: 'SERVFAIL' });
    expect(await check()).toMatchObject({ isAnswered: false, domain: { state: 'wrong' } });
    dns.serve({ ...landing, [name]: { CNAME: 'go.example' } });
    expect(await check()).toMatchObject({ isAnswered: true, domain: { state: 'active', finding: null } });
    const other = await givenAccount(console.database.em());
    const refused = await add(name, other);
    expect(refused).toMatchObject({ outcome: 'to-prove', proof: { type: 'TXT', host: `_leadback.${name}` } });
    const { items } = domainsReply.parse((await person.get(pathOf('/domains'))).body);
    expect(items).toMatchObject([{ id, name, state: 'active' }]);
    expect((await person.post(pathOf(`/domains/${id}/remove`, other), {})).status).toBe(404);
    expect((await person.post(pathOf(`/domains/${id}/remove`), {})).body).toEqual({ id, name });
    expect(domainsReply.parse((await person.get(pathOf('/domains'))).body).items).toEqual([]);
  });

  it.each(['shop', 'https://go.shop.example', '192.0.2.1', 'github.io', 'x.go.example', 'go.localhost'])(
    'takes no name that an advertiser cannot have: %s',
    async (name) => {
      expect((await person.post(pathOf('/domains'), { name })).body).toEqual({ outcome: 'invalid' });
    },
  );
});
