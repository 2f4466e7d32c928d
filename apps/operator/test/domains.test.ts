import { givenAccount, givenLandingPage, givenNameServer, givenWebhook, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenOperator } from './given-operator.ts';

const recordSchema = z.object({ type: z.string(), host: z.string(), value: z.string() });
const domainSchema = z.object({
  id: z.number(),
  name: z.string(),
  record: recordSchema,
  state: z.enum(['waiting', 'active', 'wrong']),
  proof: recordSchema,
  finding: z.string().nullish(),
  isProved: z.boolean().optional(),
});

const newName = () => `go.${unique('shop')}.example`;

describe('domain commands', async () => {
  const operator = await shared(givenOperator());
  const dns = await shared(givenNameServer());
  const landing = { 'go.example': { A: '203.0.113.7', AAAA: '2001:db8::7' } };
  const zone: Record<string, Parameters<typeof dns.serve>[0][string]> = { ...landing };
  const serve = (records: Parameters<typeof dns.serve>[0]) => dns.serve(Object.assign(zone, records));
  serve({});

  const ask = (line: string) => operator.type(`${line} --resolver ${dns.address}`);
  const json = async (line: string) => domainSchema.parse(JSON.parse((await ask(`${line} --json`)).out));
  const givenAccountId = async () => (await givenAccount(operator.database.em())).id;
  const add = async (name: string, account?: number) =>
    json(`domain add --account ${account ?? (await givenAccountId())} --name ${name}`);
  const check = (id: number) => json(`domain check ${id}`);
  const prove = ({ proof: { host, value } }: z.infer<typeof domainSchema>) =>
    serve({ [host]: { TXT: `other|${value}` } });
  const audited = async (account: number) => {
    const { rows } = await operator.database.pool.query(
      `select actor, action, target from audit_entry where account_id = $1 and action like 'domain.%' order by id`,
      [account],
    );
    return rows;
  };

  it('adds a domain, and names the record of DNS that leads to landing', async () => {
    const name = newName();
    const added = await add(name.toUpperCase().concat('.'));
    expect(added).toMatchObject({ name, state: 'waiting', record: { type: 'CNAME', host: name, value: 'go.example' } });
    expect(added.proof).toEqual({
      type: 'TXT',
      host: `_leadback.${name}`,
      value: expect.stringMatching(/^leadback=[0-9a-f]{32}$/),
    });
    const apex = await add(`${unique('shop')}.example`);
    expect(apex.record).toEqual({ type: 'A', host: apex.name, value: '203.0.113.7' });
  });

  it('adds the same domain to the same account once, and finds it by its name', async () => {
    const account = await givenAccountId();
    const { id, name } = await add(newName(), account);
    expect(await add(name, account)).toMatchObject({ id, name });
    expect(await operator.json(`domain list --account ${account}`)).toMatchObject([{ id, name, isProved: false }]);
    expect(await operator.json(`domain remove ${name}`)).toMatchObject({
      id,
      name,
      record: { type: 'CNAME', host: name, value: 'go.example' },
      state: 'waiting',
      free: 'at once',
    });
    expect(await operator.json(`domain list --account ${account}`)).toEqual([]);
    expect((await operator.type(`domain remove ${id}`)).err).toContain(`there is no domain ${id}`);
    expect(await audited(account)).toMatchObject([
      { action: 'domain.add', target: `domain ${id}` },
      { action: 'domain.remove', target: `domain ${id}` },
    ]);
  });

  it('takes an international name in any script, in its form for DNS', async () => {
    expect((await add('go.año-nuevo.example')).name).toBe('go.xn--ao-nuevo-d3a.example');
  });

  it.each([
    ['127.0.0.1', 'is an IP address'],
    ['0x7f.1', 'is an IP address'],
    ['[::1]', 'expected a host name'],
    ['com.ar', 'the public suffix list'],
    ['myshopify.com', 'the public suffix list'],
    ['localhost', 'expected a host name'],
    ['printer.local', 'only one network knows this name'],
    ['https://shop.example', 'expected a host name'],
    ['shop.example/offer', 'expected a host name'],
    ['*.shop.example', 'expected a host name'],
    ['go_1.shop.example', 'expected a host name'],
    ['-go.shop.example', 'expected a host name'],
    [`${'a'.repeat(64)}.example`, 'expected a host name'],
    ['shop.example:8443', 'expected a host name'],
    ['go.example', 'go.example is a host of this installation'],
    ['deep.go.example', 'go.example is a host of this installation'],
    ['console.example', 'console.example is a host of this installation'],
    ['api.example', 'api.example is a host of this installation'],
  ])('refuses %s as a domain', async (name, why) => {
    const env = { CONSOLE_URL: 'https://console.example', API_URL: 'https://api.example' };
    const { status, err } = await operator.type(
      ['domain', 'add', '--account', String(await givenAccountId()), `--name=${name}`],
      env,
    );
    expect([status, err]).toEqual([1, expect.stringContaining(why)]);
  });

  it.each([
    ['without a record', {}, 'waiting', 'DNS has no record for @name: create the record @name CNAME go.example.'],
    ['a CNAME of landing', { CNAME: 'go.example' }, 'active', null],
    ['the addresses of landing', { A: '203.0.113.7', AAAA: '2001:db8::7' }, 'active', null],
    ['one address of landing', { A: '203.0.113.7' }, 'active', null],
    ['a CNAME of a name that is a CNAME of landing', { CNAME: 'alias.example' }, 'active', null],
    [
      'a CNAME of another host',
      { CNAME: 'shops.example' },
      'wrong',
      '@name is a CNAME of shops.example, which is not landing: create the record @name CNAME go.example instead.',
    ],
    [
      'a proxy in front, such as Cloudflare',
      { A: '104.16.1.1 104.16.1.2' },
      'wrong',
      '@name resolves to other addresses: 104.16.1.1, 104.16.1.2. Delete these records, and create the record @name CNAME go.example. If a proxy such as Cloudflare is in front',
    ],
    [
      'an old AAAA record beside the right A record',
      { A: '203.0.113.7', AAAA: '2001:db8::bad' },
      'wrong',
      '@name also resolves to other addresses: 2001:db8::bad. Delete these records (type A or AAAA): some visitors get there.',
    ],
  ])('says what is wrong with the DNS of a domain, and what to create: %s', async (_, records, state, finding) => {
    const { id, name } = await add(newName());
    serve({
      'alias.example': { CNAME: 'go.example' },
      'shops.example': { A: '198.51.100.1' },
      [name]: Object.keys(records).length === 0 ? undefined : records,
    });
    const checked = await check(id);
    expect(checked).toMatchObject({ id, name, state });
    expect(checked.finding ?? '').toContain((finding ?? '').replaceAll('@name', name));
    expect(checked.finding === null).toBe(finding === null);
    expect((await ask(`domain check ${id}`)).status).toBe(state === 'active' ? 0 : 1);
  });

  it('keeps the state of a domain while DNS gives no answer, and says so', async () => {
    const { id, name } = await add(newName());
    serve({ [name]: { CNAME: 'go.example' } });
    expect(await check(id)).toMatchObject({ state: 'active' });
    serve({ [name]: 'SERVFAIL' });
    expect(await check(id)).toMatchObject({ state: 'active', finding: 'DNS gave no answer: ESERVFAIL' });
  });

  it('calls a domain wrong that no longer leads to landing, tells the webhooks of its account, and doctor names it', async () => {
    const account = await givenAccount(operator.database.em());
    await givenWebhook(operator.database.em(), { account, topics: ['domain.state_changed'], isTest: false });
    const { id, name } = await add(newName(), account.id);
    serve({ [name]: { CNAME: 'go.example' } });
    await check(id);
    await check(id);
    serve({ [name]: undefined });
    expect(await check(id)).toMatchObject({ state: 'wrong', finding: expect.stringContaining('DNS has no record') });
    const { rows } = await operator.database.pool.query(
      'select type, data from webhook_event where account_id = $1 order by id',
      [account.id],
    );
    const told = (state: string) => ({
      type: 'domain.state_changed',
      data: { domainId: id, name, state, isTest: null },
    });
    expect(rows).toEqual([told('active'), told('wrong')]);
    expect((await operator.type('doctor --json')).out).toContain(`${name} of account ${account.id} does not lead to`);
  });

  it('refuses a domain of another account, and names the TXT record that would prove whose it is', async () => {
    const name = newName();
    const [first, second] = [await givenAccountId(), await givenAccountId()];
    await add(name, first);
    const { status, err } = await ask(`domain add --account ${second} --name ${name}`);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^name: another account has ${name}\\. .*create the record _leadback\\.${name} TXT "leadback=[0-9a-f]{32}"`,
        ),
      ),
    ]);
    expect(await operator.json(`domain list --account ${second}`)).toEqual([]);
    expect(await operator.json(`domain list --account ${first}`)).toHaveLength(1);
  });

  const proofOf = async (name: string, account: number) => {
    const { err } = await ask(`domain add --account ${account} --name ${name}`);
    const [, host = '', value = ''] = /create the record (\S+) TXT "([^"]+)"/.exec(err) ?? [];
    return { [host]: { TXT: value } };
  };

  it('gives a domain to the account that proves it, and says so to the one that loses it', async () => {
    const name = newName();
    const loser = await givenAccount(operator.database.em());
    await givenWebhook(operator.database.em(), { account: loser, topics: ['domain.state_changed'], isTest: false });
    const owner = await givenAccountId();
    const lost = await add(name, loser.id);
    // of another account, it proves nothing
    serve(await proofOf(name, await givenAccountId()));
    expect((await ask(`domain add --account ${owner} --name ${name}`)).status).toBe(1);
    serve(await proofOf(name, owner));
    const added = await add(name, owner);
    expect(await operator.json(`domain list --account ${owner}`)).toMatchObject([{ id: added.id, isProved: true }]);
    expect(await operator.json(`domain list --account ${loser.id}`)).toEqual([]);
    expect(await audited(loser.id)).toEqual([
      { actor: expect.stringMatching(/^operator /), action: 'domain.add', target: `domain ${lost.id}` },
      { actor: 'leadback', action: 'domain.lose', target: `domain ${lost.id}` },
    ]);
    const { rows } = await operator.database.pool.query('select data from webhook_event where account_id = $1', [
      loser.id,
    ]);
    expect(rows).toEqual([{ data: { domainId: lost.id, name, state: 'lost', isTest: null } }]);
  });

  it('keeps a proved domain that was removed from other accounts for seven days, unless they prove it', async () => {
    const name = newName();
    const [owner, other] = [await givenAccountId(), await givenAccountId()];
    const first = await add(name, owner);
    prove(first);
    expect(await check(first.id)).toMatchObject({ isProved: true });
    expect(await operator.json(`domain remove ${first.id}`)).toMatchObject({
      free: expect.stringContaining('in 7 days'),
    });
    const refused = await ask(`domain add --account ${other} --name ${name}`);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('for 7 days, nothing is free')]);
    // its own account gets it back at once
    const again = await add(name, owner);
    await operator.json(`domain remove ${again.id}`);
    await operator.database.pool.query(
      `update own_domain set removed_at = removed_at - interval '8 days' where name = $1`,
      [name],
    );
    expect(await add(name, other)).toMatchObject({ name });
  });

  it('takes nothing from an account that proved it, unless the other one proves it, too', async () => {
    const name = newName();
    const [owner, other] = [await givenAccountId(), await givenAccountId()];
    const first = await add(name, owner);
    prove(first);
    await check(first.id);
    expect((await ask(`domain add --account ${other} --name ${name}`)).status).toBe(1);
    serve({ [first.proof.host]: 'SERVFAIL' });
    const unanswered = await ask(`domain add --account ${other} --name ${name}`);
    expect([unanswered.status, unanswered.err]).toEqual([1, expect.stringContaining('DNS gave no answer')]);
    serve({ [first.proof.host]: undefined });
    serve(await proofOf(name, other));
    expect((await ask(`domain add --account ${other} --name ${name}`)).status).toBe(0);
  });

  it('takes 100 domains of an account, and no more', async () => {
    const account = await givenAccountId();
    await operator.database.pool.query(
      `insert into own_domain (account_id, name) select $1, n || '.' || $2 from generate_series(1, 99) n`,
      [account, newName()],
    );
    const last = await add(newName(), account);
    const refused = await ask(`domain add --account ${account} --name ${newName()}`);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('the account has 100 domains')]);
    await operator.json(`domain remove ${last.id}`);
    await add(newName(), account);
  });

  it('gives one of several accounts that add a domain at the same time the domain', async () => {
    const name = newName();
    const accounts = await Promise.all(Array.from({ length: 5 }, givenAccountId));
    const replies = await Promise.all(accounts.map((id) => ask(`domain add --account ${id} --name ${name}`)));
    expect(replies.filter(({ status }) => status === 0)).toHaveLength(1);
  });

  it('gives a page of an account with a domain the slug that a page of another account has, on that domain', async () => {
    const slug = unique('mates');
    const taken = await givenLandingPage(operator.database.em(), { slug });
    const account = await givenAccountId();
    const createLine = `page create --account ${account} --slug ${slug} --target https://shop.example/`;
    expect((await operator.type(createLine)).err).toContain(`slug: ${slug} is taken`);
    const { id, name } = await add(newName(), account);
    const page = z
      .object({ id: z.number(), slug: z.string(), url: z.string(), otherUrls: z.array(z.string()) })
      .parse(await operator.json(createLine));
    // it does not lead to landing yet
    const ofInstallation = `https://go.example/${slug}-${account}`;
    expect(page).toMatchObject({ slug, url: ofInstallation, otherUrls: [`https://${name}/${slug}`] });
    serve({ [name]: { CNAME: 'go.example' } });
    await check(id);
    expect(await operator.json(`page list --account ${account}`)).toMatchObject([
      { id: page.id, slug, url: `https://${name}/${slug}`, otherUrls: [ofInstallation] },
    ]);
    expect((await operator.type(createLine)).err).toContain(`slug: ${slug} is taken`);
    expect(taken.slug).toBe(slug);
  });
});
