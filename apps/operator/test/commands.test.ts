import { ApiKey, LandingPage, PlatformConnection } from '@leadback/db';
import { connectionKeys, decryptCredentials, hashApiKey } from '@leadback/domain/keys';
import { givenConnection, givenConversion, givenDelivery, secretsKeys, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenOperator } from './given-operator.ts';

describe('the operator', async () => {
  const operator = await shared(givenOperator());

  it('sets up an account with a key, a page and connections to each platform', async () => {
    const account = await operator.json('account create --name Zapatos --country ar');
    expect(account).toMatchObject({ id: expect.any(Number), name: 'Zapatos', status: 'active', country: 'AR' });
    const id = String(Object(account).id);

    const key = z
      .object({ id: z.number(), key: z.string(), prefix: z.string() })
      .parse(await operator.json(`key issue --account ${id} --name backend --expires 2099-01-31`));
    expect(key.key.startsWith(key.prefix)).toBe(true);
    const storedKey = await operator.database.em().findOneOrFail(ApiKey, key.id);
    expect(hashApiKey(key.key).equals(storedKey.keyHash)).toBe(true);
    expect(storedKey.expiresAt).toEqual(new Date('2099-01-31T00:00:00Z'));

    const slug = unique('verano');
    const page = await operator.json(
      `page create --account ${id} --slug ${slug} --target https://zapatos.example/oferta --mode page --title Oferta` +
        ' --ask name,email --consent Acepto',
    );
    expect(page).toEqual({ id: expect.any(Number), slug, url: `https://go.example/${slug}` });
    expect(await operator.database.em().findOneOrFail(LandingPage, { slug })).toMatchObject({
      askedFields: ['name', 'email'],
      title: 'Oferta',
      consentText: 'Acepto',
    });

    const meta = await operator.json(
      `connection create --account ${id} --platform meta --pixel-id 123456 --access-token EAAB-secret`,
    );
    const google = await operator.json(
      `connection create --account ${id} --platform google --customer-id 123-456-7890 --conversion-action-id 987` +
        ' --client-id c --client-secret s --refresh-token r',
    );
    const tiktok = await operator.json(
      `connection create --account ${id} --platform tiktok --pixel-code C17TA5JC77UDOT6CA5FG --access-token t-secret`,
    );
    const created = { id: expect.any(Number), state: 'active', checked: false, warnings: [], next: expect.any(String) };
    expect([meta, google, tiktok]).toEqual([
      { ...created, platform: 'meta', label: '123456', destination: '123456' },
      { ...created, platform: 'google', label: '1234567890/987', destination: '1234567890/987' },
      { ...created, platform: 'tiktok', label: 'C17TA5JC77UDOT6CA5FG', destination: 'C17TA5JC77UDOT6CA5FG' },
    ]);
    expect(Object(meta).next).toContain(`Not checked yet: \`connection check ${Object(meta).id}\` sends a test event.`);
    const connection = await operator.database.em().findOneOrFail(PlatformConnection, Number(Object(meta).id));
    const owner = { id: connection.id, accountId: Number(id) };
    const encrypted = Buffer.from(connection.credentials);
    expect(encrypted.includes('EAAB-secret')).toBe(false);
    expect(decryptCredentials(connectionKeys(secretsKeys, 'meta'), owner, encrypted)).toEqual({
      accessToken: 'EAAB-secret',
    });
    expect(await operator.json(`connection list --account ${id}`)).toMatchObject([
      { platform: 'meta' },
      { platform: 'google' },
      { platform: 'tiktok' },
    ]);
  });

  it('lists deliveries and resumes a connection', async () => {
    const em = operator.database.em();
    const conversion = await givenConversion(em);
    const account = await conversion.account.loadOrFail();
    const connection = await givenConnection(em, { account, state: 'needs_attention' });
    const delivery = await givenDelivery(em, { conversion, connection });
    const list = `delivery list --account ${account.id}`;
    expect(await operator.json(`${list} --state pending --conversion ${conversion.id}`)).toMatchObject([
      { id: delivery.id, conversionId: conversion.id, platform: 'meta', state: 'pending', attempts: 0 },
    ]);
    expect(await operator.json(`${list} --state failed`)).toEqual([]);
    expect(await operator.json(`connection resume ${connection.id}`)).toEqual({
      id: connection.id,
      state: 'active',
      deliveries: 1,
    });
  });

  it('prints a table by default', async () => {
    const id = await operator.givenAccountId();
    const { status, out } = await operator.type(`key issue --account ${id} --name backend --wide`);
    expect(status).toBe(0);
    expect(out).toMatch(/│ id +│ key +│ prefix +│/);
  });

  it.each([
    ['account create', '--name is missing'],
    ['key issue --account 999999 --name x', 'there is no account 999999'],
    ['key issue --account x --name x', '--account: there is no account with this name'],
    ['page create --account 1 --slug A --target http://x.example', '--slug: expected lower-case'],
    ['page create --account 1 --slug data --target http://x.example', '--slug: reserved'],
    ['connection create --account 1 --platform meta', '--pixel-id: '],
    ['connection create --account 1 --platform tiktok', '--pixel-code: '],
    ['connection create --account 1 --platform linkedin', '--conversion-rule-id: '],
    ['connection create --account 1 --platform microsoft', '--customer-id: '],
    ['connection resume 999999', 'there is no connection 999999'],
    ['key issue --account 0 --name x', '--account: expected a whole number, 1 or more'],
    [
      'delivery list --account 1 --state faild',
      '--state: expected pending, delivered, failed or skipped; did you mean failed?',
    ],
    ['metrics --account 1 --account 3', "option '--account <id>' argument '3' is invalid. This option is given twice"],
    ['client allow --account 1 --email a@x.example --email b@x.example', 'This option is given twice'],
  ])('rejects "%s" with exit status 1 and says on standard error what to fix', async (line, message) => {
    const { status, out, err } = await operator.type(`${line} --json`);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });

  it('writes the result to standard output, errors to standard error, and ends with an exit status', async () => {
    expect(await operator.typeInProcess('account create --name Zapatos --json')).toEqual({
      status: 0,
      out: expect.stringMatching(/^\{"id":\d+,.*\}\n$/),
      err: '',
    });
    const err = '--name is missing\n';
    expect(await operator.typeInProcess('account create')).toEqual({ status: 1, out: '', err });
    const help = await operator.typeInProcess('account --help');
    expect(help).toEqual({ status: 0, out: expect.stringMatching(/^Usage: operator account /), err: '' });
    expect(await operator.typeInProcess('acount list')).toMatchObject({ status: 1, out: '' });
  });

  it('takes names of accounts, pages and people where it takes their ids, and asks which one if several have the name', async () => {
    const name = `Zapatería ${unique('Norte')}`;
    const id = Number(Object(await operator.json(['account', 'create', '--name', name])).id);
    const slug = unique('zapatos');
    const page = ['page', 'create', '--account', name, '--slug', slug, '--target', 'https://x.example/'];
    const pageId = Number(Object(await operator.json(page)).id);
    expect(await operator.json(['page', 'list', '--account', name])).toMatchObject([{ id: pageId, slug }]);
    expect(await operator.json(`page off ${slug}`)).toMatchObject({ id: pageId, isOn: false });
    expect(await operator.json(['account', 'suspend', name])).toMatchObject({ id, status: 'suspended' });
    const email = `${unique('ana')}@x.example`;
    const user = ['user', 'invite', '--email', email, '--role', 'marketer', '--account', name];
    const userId = Object(await operator.json(user)).id;
    expect(await operator.json(`user disable ${email}`)).toMatchObject({ id: userId });

    const other = Object(await operator.json(['account', 'create', '--name', name])).id;
    const { status, err } = await operator.type(['page', 'list', '--account', name]);
    expect([status, err]).toEqual([1, `--account: several have this name; give the id of one: ${id}, ${other}\n`]);
  });

  it('says in one sentence that Leadback does not run here', async () => {
    const { status, err } = await operator.type('account list', { DATABASE_URL: '' });
    const sentence = 'DATABASE_URL is not set, and Leadback does not run here. Run `npm start`, or set DATABASE_URL.\n';
    expect([status, err]).toEqual([1, sentence]);
  });

  it('describes each group of commands in its help', async () => {
    const { out } = await operator.type('--help');
    const listed = out
      .slice(out.indexOf('Commands:'))
      .split('\n')
      .slice(1)
      .filter((line) => /^ {2}\w/.test(line));
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((line) => !/^ {2}\S+(?: \[options\])?(?: [<[]\S+[>\]])? {2,}\w/.test(line))).toEqual([]);
  });

  it('reports that a slug is taken', async () => {
    const id = await operator.givenAccountId();
    const create = `page create --account ${id} --slug ${unique('s')} --target https://x.example/`;
    await operator.json(create);
    const { status, err } = await operator.type(create);
    expect(err).toMatch(/slug: .* is taken/);
    expect(status).toBe(1);
  });

  it('names the role to use if permission is denied', async () => {
    const { status, err } = await operator.type('database migrate');
    expect([status, err]).toEqual([1, expect.stringContaining('leadback_owner')]);
  });
});
