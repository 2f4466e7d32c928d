import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { databaseAddress, openPool } from '@leadback/db';
import { brokerAddress, inspectBroker } from '@leadback/server/broker';
import { parseEnv, refuseUnsafe, serverSettings } from '@leadback/server/app';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Authority, type Certificate, givenAuthority } from '../support/given-certificates.ts';

const schema = z
  .object(serverSettings)
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));
const safe = { DATABASE_URL: 'postgres:///leadback?host=/run/postgresql', AMQP_URL: 'amqp://127.0.0.1/leadback' };
const read = (settings: Readonly<Record<string, string>>) => parseEnv(schema, { ...safe, ...settings });

const database = 'postgres://api:secret@db.example/leadback';
const notEncrypted = 'would not be encrypted';
const notChecked = 'its certificate would not be checked';

// each host that another reader of URLs takes for a local one, or each mode that it takes for TLS
const plainDatabases = [
  { url: database },
  { url: 'postgres://api@127.0.0.1.example.com:5432/leadback' },
  { url: 'postgres://api@localhost/leadback?host=10.0.0.7' },
  { url: `${database}?host=` },
  { url: `${database}?host=127.0.0.1&host=db.example` },
  { url: 'postgres://localhost/leadback?host=127.0.0.1&host=db.example' },
  { url: `${database}?sslmode=` },
  { url: `${database}?sslmode=disable` },
  { url: `${database}?sslmode=verify-full&sslmode=disable` },
  { url: `${database}?sslrootcert=` },
  { url: `${database}?ssl=true&ssl=0` },
  { url: `${database}?ssl=yes` },
  { url: database, env: { PGSSLMODE: '' } },
  { url: database, env: { PGSSLMODE: 'allow' } },
  { url: 'postgres:///leadback', env: { PGHOST: 'db.example' } },
];
const uncheckedDatabases = [
  { url: `${database}?sslmode=no-verify` },
  { url: `${database}?sslmode=require&uselibpqcompat=true` },
  { url: `${database}?sslmode=prefer&uselibpqcompat=true` },
  { url: `${database}?sslmode=verify-ca&uselibpqcompat=true&sslrootcert=CA` },
  { url: database, env: { PGSSLMODE: 'no-verify' } },
];
const safeDatabases = [
  { url: `${database}?sslmode=verify-full` },
  { url: `${database}?sslmode=require` },
  { url: `${database}?ssl=true` },
  { url: `${database}?sslrootcert=CA` },
  { url: `${database}?sslmode=disable&sslmode=verify-full` },
  { url: 'postgres://api@localhost/leadback?host=db.example&sslmode=verify-full' },
  { url: database, env: { PGSSLMODE: 'verify-full' } },
  { url: `${database}?sslmode=verify-full`, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
];
const localDatabases = [
  { url: 'postgres://api@localhost/leadback' },
  { url: 'postgres://api@127.0.0.1:5432/leadback' },
  { url: 'postgres://api@[::1]:5432/leadback' },
  { url: 'postgres:///leadback' },
  { url: 'postgres:///leadback?host=/run/postgresql' },
  { url: 'postgres://api@%2Frun%2Fpostgresql:5432/leadback' },
  { url: 'postgres:///leadback', env: { PGHOST: '/run/postgresql' } },
];
const plainBrokers = [
  'amqp://api@10.0.0.7/leadback',
  'amqp://api@rabbitmq:5672/leadback',
  'amqp://api:secret@127.0.0.1.example/leadback',
  'amqp://api:secret@broker.example/leadback?heartbeat=5',
];
const strangeBrokers = [
  'amqp://broker.example/leadback?host=localhost',
  'amqp://broker.example/leadback?host=',
  'amqps://broker.example/leadback?verify=verify_none',
  'amqps://broker.example/leadback?heartbeat=1&heartbeat=2',
  'amqps://broker.example/leadback?heartbeat=often',
  'https://broker.example/leadback',
];
const safeBrokers = [
  'amqps://api:secret@broker.example/leadback',
  'amqps://api:secret@broker.example/leadback?heartbeat=5&channelMax=10',
];
const localBrokers = ['amqp://api@127.0.0.1:5672/leadback', 'amqp://api@[::1]/leadback', 'amqp://localhost'];

type Case = { readonly url: string; readonly env?: Readonly<Record<string, string>> };

/** All names of examples lead to this machine. */
const resolveExamples = () => {
  const lookup = dns.lookup.bind(dns);
  vi.spyOn(dns, 'lookup').mockImplementation((...args: readonly unknown[]) => {
    const [name, ...rest] = args;
    void Reflect.apply(lookup, dns, [String(name).endsWith('.example') ? '127.0.0.1' : name, ...rest]);
  });
};
const queryAt = async (url: string) => {
  await using pool = await openPool({ url, applicationName: 'test' });
  await expect(pool.pool.query('select 1')).rejects.toThrow(/./);
  const { host, tls: how } = databaseAddress(url);
  const { options } = pool.pool;
  expect(options.host).toBe(host);
  expect(options.ssl !== undefined && options.ssl !== false).toBe(how !== 'none');
};
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const allows = (socket: Socket) => socket.write('S');
const refuses = (socket: Socket) => socket.end('N');

/** What a server received, outside of TLS and inside. */
interface Received {
  readonly port: number;
  readonly plain: Buffer[];
  readonly secure: Buffer[];
}

describe('the URLs of PostgreSQL and RabbitMQ', () => {
  let authority: Authority;
  let another: Authority;
  const setEnvironment = (env: Case['env'] = {}) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  };
  const withCa = (url: string) => url.replace('sslrootcert=CA', `sslrootcert=${authority.caFile}`);

  const servers: Server[] = [];
  const defaults = tls.getCACertificates('default');
  beforeAll(async () => {
    [authority, another] = await Promise.all([givenAuthority(), givenAuthority()]);
    tls.setDefaultCACertificates([...defaults, readFileSync(authority.caFile, 'utf8')]);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => {
    tls.setDefaultCACertificates(defaults);
  });

  it.each<Case>(plainDatabases)('refuse a PostgreSQL on another machine without TLS: $url $env', ({ url, env }) => {
    setEnvironment(env);
    expect(read({ DATABASE_URL: url })).toMatch(new RegExp(`${notEncrypted}: .*\\n.*→ at DATABASE_URL`));
    expect(read({ DATABASE_URL: url, ALLOW_UNVERIFIED_SERVERS: 'true' })).toContain(notEncrypted);
    expect(read({ DATABASE_URL: url, ALLOW_UNENCRYPTED_SERVERS: 'true' })).toMatchObject({ DATABASE_URL: url });
  });

  it.each<Case>(uncheckedDatabases)(
    'refuse a PostgreSQL whose certificate is not checked: $url $env',
    ({ url, env }) => {
      setEnvironment(env);
      const settings = { DATABASE_URL: withCa(url) };
      expect(read(settings)).toMatch(new RegExp(`${notChecked}: .*\\n.*→ at DATABASE_URL`));
      for (const name of ['ALLOW_UNVERIFIED_SERVERS', 'ALLOW_UNENCRYPTED_SERVERS']) {
        expect(read({ ...settings, [name]: 'true' })).toMatchObject(settings);
      }
    },
  );

  it.each(plainBrokers)('refuse a RabbitMQ on another machine without TLS: %s', (url) => {
    expect(read({ AMQP_URL: url })).toMatch(new RegExp(`${notEncrypted}: .*\\n.*→ at AMQP_URL`));
    expect(read({ AMQP_URL: url, ALLOW_UNVERIFIED_SERVERS: 'true' })).toContain(notEncrypted);
    expect(read({ AMQP_URL: url, ALLOW_UNENCRYPTED_SERVERS: 'true' })).toMatchObject({ AMQP_URL: url });
  });

  it.each(strangeBrokers)('refuse a URL of RabbitMQ of which a part would not count: %s', (url) => {
    expect(read({ AMQP_URL: url, ALLOW_UNENCRYPTED_SERVERS: 'true' })).toContain('→ at AMQP_URL');
  });

  it('refuse a file of an authority that does not exist, without the password in the message', () => {
    const problem = read({ DATABASE_URL: `${database}?sslrootcert=/none/ca.pem` });
    expect(problem).toContain('/none/ca.pem');
    expect(problem).not.toContain('secret');
  });

  it.each<Case>([...localDatabases, ...safeDatabases])(
    'accept TLS, and a PostgreSQL of this machine: $url $env',
    ({ url, env }) => {
      setEnvironment(env);
      expect(read({ DATABASE_URL: withCa(url) })).toMatchObject({ DATABASE_URL: withCa(url) });
    },
  );

  it.each([...localBrokers, ...safeBrokers])('accept TLS, and a RabbitMQ of this machine: %s', (url) => {
    expect(read({ AMQP_URL: url })).toMatchObject({ AMQP_URL: url });
  });

  /** Records what clients send. `welcome` answers the first bytes, and says whether TLS begins with the next ones. */
  const givenRecorder = async (
    certificate: Certificate | undefined,
    welcome?: (socket: Socket) => void,
  ): Promise<Received> => {
    const [plain, secure]: [Buffer[], Buffer[]] = [[], []];
    const secured = (socket: Socket) => {
      if (certificate === undefined) return;
      const [cert, key] = [certificate.certFile, certificate.keyFile].map((file) => readFileSync(file));
      const inside = new tls.TLSSocket(socket, { isServer: true, cert, key });
      inside
        .on('error', () => {})
        .on('data', (data) => {
          secure.push(data);
          inside.destroy();
        });
    };
    const server = createServer((socket) => {
      socket.on('error', () => {});
      if (welcome === undefined && certificate !== undefined) secured(socket);
      else {
        socket.once('data', (data) => {
          plain.push(data);
          if (welcome === undefined) socket.destroy();
          else {
            welcome(socket);
            secured(socket);
          }
        });
      }
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return { port: z.object({ port: z.number() }).parse(server.address()).port, plain, secure };
  };
  const at = (url: string, { port }: Received) => {
    // the URL as it is, but for the port
    return withCa(url).replace(/(\.example|localhost|127\.0\.0\.1)(:\d+)?(?=\/|$)/, `$1:${port}`);
  };
  it.each<Case>(safeDatabases)(
    'send PostgreSQL nothing outside of TLS, and nothing to another one: $url $env',
    async ({ url, env }) => {
      resolveExamples();
      setEnvironment(env);
      const right = await givenRecorder(await authority.issue('DNS:db.example'), allows);
      await queryAt(at(url, right));
      expect(Buffer.concat(right.plain)).toEqual(sslRequest);
      expect(Buffer.concat(right.secure).toString('latin1')).toContain('database\0leadback');

      for (const wrong of [await another.issue('DNS:db.example'), await authority.issue('DNS:other.example')]) {
        const received = await givenRecorder(wrong, allows);
        await queryAt(at(url, received));
        expect(Buffer.concat(received.plain)).toEqual(sslRequest);
        expect(received.secure).toEqual([]);
      }

      const plain = await givenRecorder(undefined, refuses);
      await queryAt(at(url, plain));
      expect(Buffer.concat(plain.plain)).toEqual(sslRequest);
    },
  );

  it.each(['postgres://api@localhost/leadback', 'postgres://api@127.0.0.1:5432/leadback'])(
    'send PostgreSQL on this machine what they say, without TLS: %s',
    async (url) => {
      const received = await givenRecorder(undefined);
      await queryAt(at(url, received));
      expect(Buffer.concat(received.plain).toString('latin1')).toContain('database\0leadback');
    },
  );

  it.each(safeBrokers)('send RabbitMQ nothing outside of TLS, and nothing to another one: %s', async (url) => {
    resolveExamples();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const inspect = (received: Received) => expect(inspectBroker(at(url, received))).rejects.toThrow(/./);
    const right = await givenRecorder(await authority.issue('DNS:broker.example'));
    await inspect(right);
    expect(Buffer.concat(right.secure).toString('latin1')).toContain('AMQP');

    for (const wrong of [await another.issue('DNS:broker.example'), await authority.issue('DNS:other.example')]) {
      const received = await givenRecorder(wrong);
      await inspect(received);
      expect(received.secure).toEqual([]);
    }

    const plain = await givenRecorder(undefined);
    await inspect(plain);
    expect(Buffer.concat(plain.plain).toString('latin1')).not.toContain('AMQP');
  });

  it('send RabbitMQ on this machine what they say, without TLS', async () => {
    const received = await givenRecorder(undefined);
    await expect(inspectBroker(at('amqp://api@127.0.0.1:5672/leadback', received))).rejects.toThrow(/./);
    expect(Buffer.concat(received.plain).toString('latin1')).toContain('AMQP');
  });
});
