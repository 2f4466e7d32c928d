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
});
