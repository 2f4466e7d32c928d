import { createServer } from 'node:tls';
import { connect } from 'node:net';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isDatabaseUnavailable, migrate, openPool } from '@leadback/db';
import {
  asDatabaseRole,
  databaseRoles,
  freePort,
  type LocalServer,
  localUrl,
  startPostgres,
} from '@leadback/testing/stack';
import { eventually } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Authority, type Certificate, givenAuthority } from '../support/given-certificates.ts';
import { givenPorts, givenStack, type TestStack } from '../support/given-stack.ts';

const pipeThrough = async ({ certFile, keyFile }: Certificate, target: string) => {
  const { hostname, port: to } = new URL(target);
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const server = createServer({ cert, key }, (secure) => {
    const plain = connect(Number(to), hostname);
    secure.pipe(plain).pipe(secure);
    for (const [one, other] of [
      [secure, plain],
      [plain, secure],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = new URL(target);
  url.protocol = 'amqps:';
  url.hostname = 'localhost';
  url.port = String(port);
  return { url: url.href, close: () => server.close() };
};

describe('TLS to PostgreSQL and RabbitMQ', () => {
  let authority: Authority;
  let another: Authority;
  let postgres: LocalServer;
  let stack: TestStack;
  const closing: (() => unknown)[] = [];

  const presents = async (certificate: Certificate) => {
    // PostgreSQL reaches its data folder alone
    const [certFile, keyFile] = [certificate.certFile, certificate.keyFile].map((file) => relative(dataFolder(), file));
    await using database = await openPool({ url: postgres.url, applicationName: 'test' });
    await database.pool.query(`alter system set ssl_cert_file = '${certFile}'`);
    await database.pool.query(`alter system set ssl_key_file = '${keyFile}'`);
    await database.pool.query('alter system set ssl = on');
    await database.pool.query('select pg_reload_conf()');
    await eventually(async () => {
      await using next = await openPool({ url: postgres.url, applicationName: 'test' });
      const { rows } = await next.pool.query('show ssl_cert_file');
      expect(rows).toEqual([{ ssl_cert_file: certFile }]);
    });
  };
  let folder: string;
  const dataFolder = () => join(folder, 'data');
  const encrypted = () => {
    const url = new URL(asDatabaseRole(postgres.url, databaseRoles['feedback-worker']));
    // a name: pg compares no addresses with certificates
    url.hostname = 'localhost';
    url.search = `sslmode=verify-full&sslrootcert=${authority.caFile}`;
    return url.href;
  };
  /** RabbitMQ behind a load balancer that ends TLS, as managed ones have it. */
  const broker = async (certificate: Certificate) => {
    const proxy = await pipeThrough(certificate, stack.broker.url);
    closing.push(proxy.close);
    return proxy.url;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(inject('temporaryFolder'), 'tls-'));
    [authority, another, stack, postgres] = await Promise.all([
      givenAuthority(),
      givenAuthority(),
      givenStack(),
      startPostgres({ dir: folder, durable: false }),
    ]);
    await migrate(asDatabaseRole(postgres.url, 'leadback_owner'));
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    for (const close of closing) close();
    await postgres.stop();
  });

  const startWorker = async (urls: { databaseUrl: string; amqpUrl: string }) => {
    const ports = await givenPorts();
    const settings = { NODE_EXTRA_CA_CERTS: authority.caFile };
    await stack.start('feedback-worker', { ...urls, ports, settings, readyPath: '/health' });
    const ready = `${localUrl(ports.operations['feedback-worker'])}/ready`;
    return async (): Promise<unknown> => Object(await (await fetch(ready)).json()).checks;
  };

  it('delivers over TLS if the certificates are those of the servers', async () => {
    await presents(await authority.issue('DNS:localhost', dataFolder()));
    const amqpUrl = await broker(await authority.issue('DNS:localhost'));
    const checks = await startWorker({ databaseUrl: encrypted(), amqpUrl });
    await eventually(async () => expect(await checks()).toMatchObject({ broker: true, database: true }));
    await using database = await openPool({ url: postgres.url, applicationName: 'test' });
    const { rows } = await database.pool.query(
      `select distinct s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid)
       where a.application_name = 'leadback feedback-worker'`,
    );
    expect(rows).toEqual([{ ssl: true }]);
  });

  it.each(['another authority', 'another host'])('refuses certificates of %s and sends nothing', async (wrong) => {
    const issue = (ownerOf?: string) =>
      wrong === 'another host' ? authority.issue('DNS:db.example', ownerOf) : another.issue('DNS:localhost', ownerOf);
    await presents(await issue(dataFolder()));
    const checks = await startWorker({ databaseUrl: encrypted(), amqpUrl: await broker(await issue()) });
    expect(await checks()).toMatchObject({ broker: false, database: false });
    await using database = await openPool({ url: encrypted(), applicationName: 'test' });
    const failure: unknown = await database.answers().catch((error: unknown) => error);
    expect(String(failure)).toMatch(/certificate/);
    // landing buffers leads, and the api responds 503
    expect(isDatabaseUnavailable(failure)).toBe(true);
    await eventually(async () => expect(await stack.logOf('feedback-worker')).toMatch(/certificate/));
  });

  it('refuses a PostgreSQL without TLS if its URL asks for TLS', async () => {
    await using administrator = await openPool({ url: postgres.url, applicationName: 'test' });
    await administrator.pool.query('alter system set ssl = off');
    await administrator.pool.query('select pg_reload_conf()');
    await eventually(async () => {
      await using database = await openPool({ url: encrypted(), applicationName: 'test' });
      await expect(database.answers()).rejects.toThrow('The server does not support SSL connections');
    });
  });
});
