import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { Readable } from 'node:stream';
import { givenServer, secretsKey } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenAuthority } from '../../../tests/support/given-certificates.ts';
import { runOperator } from '../src/run-operator.ts';
import { givenOperator, givenTerminal, type TestOperator } from './given-operator.ts';

const findingsSchema = z.array(
  z.object({ check: z.string(), state: z.string(), finding: z.string(), todo: z.string().nullable() }),
);

describe('the checklist of a server in doctor', () => {
  const stack = new AsyncDisposableStack();
  let operator: TestOperator;
  beforeAll(async () => {
    operator = stack.use(await givenOperator());
  });
  afterAll(() => stack.disposeAsync());

  /** The findings of one check. */
  const look = async (check: string, env: NodeJS.ProcessEnv = {}) => {
    const findings = findingsSchema.parse(JSON.parse((await operator.type('doctor --json', env)).out));
    return findings
      .filter((one) => one.check === check)
      .map(({ state, finding, todo }) => `${state}: ${finding}${todo === null ? '' : ` → ${todo}`}`);
  };
  const entered = (action: string, target: string, age: string) =>
    operator.database.asOwner(
      `insert into audit_entry (at, actor, action, target) values (now() - $3::interval, 'backup', $1, $2)`,
      [action, target, age],
    );

  it('is not for a machine without a public URL of https', async () => {
    for (const check of ['public URLs', 'backups', 'copy of SECRETS_KEY', 'alerts', 'administrators'])
      expect(await look(check, { LANDING_URL: 'http://127.0.0.1:3000' })).toEqual([
        'ok: not checked: LANDING_URL is not https, so this is no server for visitors',
      ]);
  });

  it('warns of a backup that is missing or old, and of one that nobody has restored', async () => {
    expect(await look('backups')).toEqual([expect.stringMatching(/^warn: none is known → .*`backup record --taken`/)]);
    await entered('backup.taken', 'leadback-old.dump', '8 days');
    expect(await look('backups')).toEqual([
      expect.stringMatching(/^error: the last one, leadback-old.dump, was taken 8 days ago/),
      expect.stringMatching(/^warn: none was ever restored → .*backup check/),
    ]);
    await entered('backup.taken', 'leadback-new.dump', '37 hours');
    expect((await look('backups'))[0]).toMatch(/^warn: the last one, leadback-new.dump, was taken 37 h ago/);
    await entered('backup.restored', 'leadback-new.dump', '101 days');
    expect((await look('backups'))[1]).toMatch(/^warn: leadback-new.dump was restored 101 days ago/);
    expect(await operator.json('backup record --taken --name night')).toEqual({
      recorded: 'backup.taken',
      name: 'night',
    });
    await operator.json('backup record --restored');
    expect(await look('backups')).toEqual([
      expect.stringMatching(/^ok: the last one, night, was taken \d s ago$/),
      expect.stringMatching(/^ok: backup was restored \d s ago$/),
    ]);
    expect(await operator.type('backup record')).toMatchObject({ status: 1, err: expect.stringContaining('--taken') });
  });

  it('asks for a copy of SECRETS_KEY until somebody shows one of the first key, and again after a rotation', async () => {
    const warning = expect.stringMatching(
      /^warn: nobody has shown a copy of the first key of SECRETS_KEY → .*secrets confirm/,
    );
    expect(await look('copy of SECRETS_KEY')).toEqual([warning]);
    const confirm = async (typed: string, key: string) => {
      const env = { ...process.env, DATABASE_URL: operator.database.url, SECRETS_KEY: key };
      const terminal = { ...givenTerminal(env), stdin: Readable.from([`${typed}\n`]) };
      return { status: await runOperator(['secrets', 'confirm'], terminal), err: terminal.err() };
    };
    const key = secretsKey.toString('base64');
    const other = Buffer.alloc(32, 7).toString('base64');
    expect(await confirm(other, key)).toMatchObject({ status: 1, err: expect.stringContaining('another key') });
    expect(await confirm('nothing', key)).toMatchObject({ status: 1, err: expect.not.stringContaining('nothing') });
    expect(await look('copy of SECRETS_KEY')).toEqual([warning]);
    expect(await confirm(key, key)).toEqual({ status: 0, err: '' });
    expect(await look('copy of SECRETS_KEY')).toEqual([expect.stringMatching(/^ok: a copy was compared \d s ago$/)]);
    expect(await look('copy of SECRETS_KEY', { SECRETS_KEY: `${other},${key}` })).toEqual([warning]);
    const { rows } = await operator.database.pool.query(
      `select details::text from audit_entry where action = 'secrets.confirmed'`,
    );
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('wants an administrator who has accepted the invitation, with a second factor', async () => {
    expect(await look('administrators')).toEqual([
      expect.stringMatching(/^warn: nobody is invited → Run `user invite/),
    ]);
    await operator.json('user invite --email ana@example.com --role admin');
    expect(await look('administrators')).toEqual([expect.stringMatching(/^warn: nobody has accepted/)]);
    await operator.database.asOwner(`update person set second_factor = 'x'`);
    expect(await look('administrators')).toEqual(['ok: 1 person has a second factor or passkey']);
  });

  it('says whether Alertmanager tells anybody, and whether its messages arrive', async () => {
    const given = { receivers: '', metrics: 'alertmanager_notifications_total{integration="webhook"} 3\n' };
    const server = await givenServer((request, response) => {
      if (request.url === '/metrics') response.end(given.metrics);
      else response.end(JSON.stringify({ config: { original: `receivers:\n- name: people\n${given.receivers}` } }));
    });
    const env = { ALERTMANAGER_URL: server.url };
    expect(await look('alerts', env)).toEqual([expect.stringMatching(/^warn: nobody is told of them → Set ALERTS_TO/)]);
    given.receivers = '  webhook_configs:\n  - url: <secret>\n';
    expect(await look('alerts', env)).toEqual([
      'ok: they go out by webhook: 3 messages since Alertmanager started, 0 failed',
    ]);
    given.metrics += 'alertmanager_notifications_failed_total{integration="webhook",reason="other"} 2\n';
    expect(await look('alerts', env)).toEqual([expect.stringMatching(/^warn: .* 2 failed → .*ALERTS_TO/)]);
    await server[Symbol.asyncDispose]();
    expect(await look('alerts', env)).toEqual([expect.stringMatching(/^error: Alertmanager cannot be asked \(/)]);
    expect(await look('alerts')).toEqual([expect.stringMatching(/^ok: not checked: ALERTMANAGER_URL is not set/)]);
  });

  it('asks the public URLs over TLS as a stranger would: the certificate, and whether the proxy reaches the app', async () => {
    const authority = await givenAuthority();
    const { certFile, keyFile } = await authority.issue('IP:127.0.0.1');
    const files = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    const server = createServer(files, (request, response) => {
      response.statusCode = request.url === '/console' ? 502 : 404;
      response.end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
    const url = `https://127.0.0.1:${address.port}`;
    const env = { LANDING_URL: url, API_URL: 'http://api.example', CONSOLE_URL: `${url}/console` };
    const lookInProcess = async (more: NodeJS.ProcessEnv) => {
      const { out } = await operator.typeInProcess('doctor --json', { ...env, ...more });
      const findings = findingsSchema.parse(JSON.parse(out)).filter(({ check }) => check === 'public URLs');
      return findings.map(({ state, finding }) => `${state}: ${finding}`);
    };
    expect(await lookInProcess({ NODE_EXTRA_CA_CERTS: authority.caFile })).toEqual([
      expect.stringMatching(new RegExp(`^ok: ${url} answers over TLS; its certificate ends at 20`)),
      'error: API_URL is http://api.example: not encrypted',
      `error: ${url}/console answers 502: the proxy does not reach the app`,
    ]);
    expect((await lookInProcess({ API_URL: undefined }))[0]).toMatch(/^error: .* cannot be reached over TLS \(/);
    server.close();
    expect((await lookInProcess({}))[0]).toMatch(/^error: .* cannot be reached over TLS \(ECONNREFUSED\)/);
  });
});
