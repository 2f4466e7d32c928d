import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseEnv, portSchema } from './app.ts';

const schema = z.object({ DATABASE_URL: z.url(), PORT: portSchema.default(3000) });

describe('the environment', () => {
  it('parses the environment into settings', () => {
    expect(parseEnv(schema, { DATABASE_URL: 'postgres://localhost/leadback', PORT: '8080' })).toEqual({
      DATABASE_URL: 'postgres://localhost/leadback',
      PORT: 8080,
    });
  });

  it('names every invalid setting of the environment', () => {
    expect(parseEnv(schema, { DATABASE_URL: 'nowhere', PORT: '80000' })).toMatch(
      /Invalid URL\n {2}→ at DATABASE_URL\n[^]*→ at PORT/,
    );
  });

  it.each([
    { given: {}, reads: 'amqp://api@broker/leadback' },
    { given: { AMQP_PASSWORD: '' }, reads: 'amqp://api@broker/leadback' },
    { given: { AMQP_PASSWORD: 'a@b:c' }, reads: 'amqp://api:a%40b%3Ac@broker/leadback' },
    {
      given: { AMQP_PASSWORD: 'other', AMQP_URL: 'amqp://api:own@broker/leadback' },
      reads: 'amqp://api:own@broker/leadback',
    },
  ])('takes the password of AMQP_URL from AMQP_PASSWORD, if the URL has none: $reads', ({ given, reads }) => {
    const env = { AMQP_URL: 'amqp://api@broker/leadback', ...given };
    expect(parseEnv(z.object({ AMQP_URL: z.url() }), env)).toEqual({ AMQP_URL: reads });
  });
});
