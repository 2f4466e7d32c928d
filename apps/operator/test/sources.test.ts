import { sourceKinds } from '@leadback/core/sources/kinds/index';
import { Source } from '@leadback/db';
import { givenAccount, secretsKey, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenFile, givenOperator } from './given-operator.ts';

const createdSchema = z.object({ id: z.number(), url: z.string(), secret: z.string().optional() });

describe('source', async () => {
  const operator = await shared(givenOperator());
  const env = { API_URL: 'https://api.example' };
  const account = async () => (await givenAccount(operator.database.em())).id;
  const create = async (line: string) => createdSchema.parse(await operator.json(`source create ${line}`, env));

  it('create prints the URL to which a shop sends, and a secret that it made, once', async () => {
    const id = await account();
    const created = await operator.json(`source create --account ${id} --kind woocommerce --label Shop`, env);
    expect(created).toEqual({
      id: expect.any(Number),
      kind: 'woocommerce',
      label: 'Shop',
      url: expect.stringMatching(/^https:\/\/api\.example\/source\/[0-9A-Za-z]{32}$/),
      secret: expect.stringMatching(/^[0-9A-Za-z]{40}$/),
      next: expect.stringContaining('source show'),
    });
    const { url, secret = '' } = createdSchema.parse(created);
    const shown = JSON.stringify(await operator.json('source show Shop', env));
    expect([shown.includes(url), shown.includes(secret)]).toEqual([true, false]);
    const stored = JSON.stringify(await operator.database.em().find(Source, {}));
    const audited = JSON.stringify(await operator.json(`audit list --account ${id}`));
    for (const text of [secret, url.slice(-32)]) expect(stored + audited).not.toContain(text);
  });

  it('renew-url prints a new URL, and shows that from then on', async () => {
    const { id, url } = await create(`--account ${await account()} --kind postback`);
    const renewed = await operator.json(`source renew-url ${id}`, env);
    expect(renewed).toMatchObject({ id, url: expect.stringMatching(/\/source\/[0-9A-Za-z]{32}$/) });
    expect(renewed).not.toMatchObject({ url });
    const { url: now } = z.object({ url: z.string() }).parse(renewed);
    expect(await operator.json(`source show ${id}`, env)).toMatchObject({ url: now, refused: { requests: 0 } });
  });

  it('create takes a secret from a file, and prints it no more', async () => {
    const secret = await givenFile('secret', 'of the shop\n');
    const created = await operator.json(
      `source create --account ${await account()} --kind shopify --shop Mates.myshopify.com --secret @${secret}`,
    );
    expect(created).not.toHaveProperty('secret');
    const typed = await operator.type([
      'source',
      'create',
      '--account',
      String(await account()),
      '--kind',
      'shopify',
      '--shop',
      'https://mates.example',
      '--secret',
      `@${secret}`,
    ]);
    expect([typed.status, typed.err]).toEqual([1, expect.stringContaining('--shop: expected the name of the shop')]);
  });

  it('create reads the map of a webhook from a file, and names what is wrong with it', async () => {
    const id = await account();
    const map = { conversionExternalReference: 'data.order.id', amount: 'data.total', currency: '=ARS' };
    const file = await givenFile('map.json', JSON.stringify(map));
    await create(`--account ${id} --kind webhook --map ${file}`);
    const hmac = `--signature hmac --secret geheim --map @${file}`;
    await create(`--account ${id} --kind webhook ${hmac} --header X-Signature --prefix sha256= --encoding base64`);
    const wrong = await givenFile('wrong.json', JSON.stringify({ ...map, amont: 'x' }));
    const refusals = await Promise.all([
      operator.type(`source create --account ${id} --kind webhook --map ${wrong}`),
      operator.type(`source create --account ${id} --kind webhook ${hmac}`),
      operator.type(`source create --account ${id} --kind postback --store 1`),
      operator.type(`source create --account ${id} --kind magento`),
    ]);
    expect(refusals.map(({ status, err }) => [status, err.trim()])).toEqual([
      [1, expect.stringContaining('--map: there is no field amont; did you mean amount?')],
      [1, expect.stringContaining('--header: hmac needs the header')],
      [1, expect.stringContaining('--store: Postback has no such setting')],
      [1, expect.stringContaining('kind: expected woocommerce, tiendanube')],
    ]);
  });

  it('show says what a source told, list all of them, and pause, resume, replay and delete change them', async () => {
    const id = await account();
    const { id: source } = await create(`--account ${id} --kind postback --test`);
    await operator.database.pool.query(
      `insert into source_event (account_id, source_id, key, event, content, finished_at, outcome, reason, message)
       select $1, $2, outcome, 'sale', '\\x00', now(), outcome, 'fields-wrong', 'amount: no amount'
       from unnest(array['sale', 'adjusted', 'repeated', 'ignored', 'without-click', 'failed']) outcome`,
      [id, source],
    );
    expect(await operator.json(`source show ${source}`, env)).toMatchObject({
      id: source,
      kind: 'postback',
      label: 'Postback',
      state: 'active',
      isTest: true,
      lastEventAt: expect.any(String),
      events: {
        received: 6,
        sales: 1,
        adjustments: 1,
        repeated: 1,
        ignored: 1,
        failed: 1,
        withoutClick: 1,
        waiting: 0,
      },
      shareWithClick: 0.5,
      recent: expect.arrayContaining([
        { at: expect.any(String), event: 'sale', outcome: 'failed', reason: expect.stringContaining('amount') },
      ]),
    });
    expect(await operator.json(`source list --account ${id}`)).toMatchObject([
      { id: source, sales: 1, state: 'active' },
    ]);
    expect(await operator.json(`source pause ${source}`)).toMatchObject({ state: 'paused' });
    expect(await operator.json(`source replay ${source} --since 2026-01-01`)).toEqual({ id: source, replayed: 3 });
    expect(await operator.json(`source resume ${source}`)).toEqual({ id: source, state: 'active', waiting: 3 });
    expect((await operator.type(`source show ${source}`)).out).toContain('shareWithClick');
    expect(await operator.json(`source delete ${source}`)).toEqual({ id: source, state: 'deleted' });
    expect((await operator.type(`source show ${source}`)).err).toContain(`there is no source ${source}`);
    const { rows } = await operator.database.pool.query(
      'select count(*)::int as kept from source_event where source_id = $1 and (content is not null or outcome is null)',
      [source],
    );
    expect(rows).toEqual([{ kept: 0 }]);
    const actions = z.array(z.object({ action: z.string() })).parse(await operator.json(`audit list --account ${id}`));
    expect(actions.map(({ action }) => action)).toEqual(
      ['delete', 'resume', 'replay', 'pause', 'create'].map((verb) => `source.${verb}`),
    );
  });

  it('change keeps what is not named', async () => {
    const { id } = await create(`--account ${await account()} --kind mercadopago --secret one --access-token two`);
    expect(await operator.json(`source change ${id} --label Mates --access-token three`)).toEqual({
      id,
      label: 'Mates',
    });
    const typed = await operator.type(['source', 'change', String(id), '--access-token', '']);
    expect([typed.status, typed.err]).toEqual([1, expect.stringContaining('--access-token')]);
  });

  it('rotate re-encrypts the secrets of sources', async () => {
    const fresh = Buffer.alloc(32, 7).toString('base64');
    const { id } = await create(`--account ${await account()} --kind woocommerce`);
    const both = { SECRETS_KEY: `${fresh},${secretsKey.toString('base64')}` };
    expect(await operator.json('secrets rotate', both)).toMatchObject({ sources: expect.any(Number) });
    expect(await operator.json(`source show ${id}`, { ...env, SECRETS_KEY: fresh })).toMatchObject({ id });
    await operator.json('secrets rotate', { SECRETS_KEY: `${secretsKey.toString('base64')},${fresh}` });
  });
});

describe('every kind of source', () => {
  it.each(sourceKinds.map((kind) => [kind.title, kind] as const))(
    '%s has texts in three languages, with the same steps',
    (_, kind) => {
      const { en, es, pt } = kind.texts;
      expect([es.steps.length, pt.steps.length]).toEqual([en.steps.length, en.steps.length]);
      for (const field of kind.fields) {
        for (const { label, help } of Object.values(field.texts)) expect(label.length * help.length).toBeGreaterThan(0);
      }
    },
  );
});
