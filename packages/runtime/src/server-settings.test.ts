import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseEnv } from './parse-env.ts';
import { refuseUnencrypted, serverSettings } from './server-settings.ts';

const schema = z.object(serverSettings).superRefine(refuseUnencrypted);
const database = 'postgres://api@db.example/leadback?sslmode=verify-full';
const broker = 'amqps://api@broker.example/leadback';
const read = (settings: Readonly<Record<string, string>>) =>
  parseEnv(schema, { DATABASE_URL: database, AMQP_URL: broker, ...settings });

describe('the URLs of PostgreSQL and RabbitMQ', () => {
  it.each([
    { DATABASE_URL: 'postgres://api@db.example/leadback' },
    { DATABASE_URL: 'postgres://api@db.example/leadback?sslmode=disable' },
    { DATABASE_URL: 'postgres://api@localhost/leadback?host=10.0.0.7' },
    { DATABASE_URL: 'postgres://api@127.0.0.1.example.com:5432/leadback' },
    { AMQP_URL: 'amqp://api@10.0.0.7/leadback' },
    { AMQP_URL: 'amqp://api@rabbitmq:5672/leadback' },
  ])('refuse a connection to another machine without TLS: %o', (settings) => {
    const [name = ''] = Object.keys(settings);
    expect(read(settings)).toMatch(new RegExp(`would not be encrypted: .*\\n.*→ at ${name}`));
    expect(read({ ...settings, ALLOW_UNENCRYPTED_SERVERS: 'true' })).toMatchObject(settings);
  });

  it.each([
    {},
    { DATABASE_URL: 'postgres://api@localhost/leadback' },
    { DATABASE_URL: 'postgres://api@127.0.0.1:5432/leadback' },
    { DATABASE_URL: 'postgres://api@[::1]:5432/leadback' },
    { DATABASE_URL: 'postgres:///leadback?host=/run/postgresql' },
    { DATABASE_URL: 'postgres://api@%2Frun%2Fpostgresql:5432/leadback' },
    { DATABASE_URL: 'postgres://api@db.example/leadback?sslrootcert=/ca.pem' },
    { AMQP_URL: 'amqp://api@127.0.0.1:5672/leadback' },
  ])('accept TLS, and connections within this machine: %o', (settings) => {
    expect(read(settings)).toMatchObject(settings);
  });
});
