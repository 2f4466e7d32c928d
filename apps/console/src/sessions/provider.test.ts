import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { providerOptions, providerSettings, refuseHalfProvider } from './provider.ts';

const schema = z.object(providerSettings).superRefine(refuseHalfProvider);
const all = { OIDC_ISSUER: 'https://id.acme.example', OIDC_CLIENT_ID: 'leadback', OIDC_CLIENT_SECRET: 's' };

describe('the settings of the identity provider', () => {
  it('may all be missing or empty: then there is none', () => {
    expect(providerOptions(schema.parse({}))).toBeUndefined();
    expect(
      providerOptions(schema.parse({ OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' })),
    ).toBeUndefined();
  });

  it('name the provider after its host unless they give a name', () => {
    expect(providerOptions(schema.parse(all))).toMatchObject({ name: 'id.acme.example', clientId: 'leadback' });
    expect(providerOptions(schema.parse({ ...all, OIDC_NAME: 'Acme ID' }))).toMatchObject({ name: 'Acme ID' });
  });

  it.each(Object.keys(all))('are refused without %s alone', (name) => {
    const result = schema.safeParse({ ...all, [name]: undefined });
    expect(result.error?.issues).toMatchObject([{ path: [name], message: expect.stringContaining('or none') }]);
  });

  it('take an issuer without TLS only on this machine', () => {
    expect(schema.safeParse({ ...all, OIDC_ISSUER: 'http://id.acme.example' }).success).toBe(false);
    expect(schema.safeParse({ ...all, OIDC_ISSUER: 'http://127.0.0.1:8080' }).success).toBe(true);
  });
});
