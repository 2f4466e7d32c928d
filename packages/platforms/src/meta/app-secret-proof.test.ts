import { expect, it } from 'vitest';
import { appSecretProof } from './index.ts';

it('the proof of an app secret is the HMAC-SHA256 of the access token in hex', () => {
  // printf %s EAAB-token | openssl dgst -sha256 -hmac app-secret
  expect(appSecretProof('EAAB-token', 'app-secret')).toBe(
    '294c307ff2427ed2140908ec13f483ef7f7d7819a8fc32fb535cf6ada2327ab2',
  );
});

it('there is no proof without an app secret', () => {
  expect(appSecretProof('EAAB-token', undefined)).toBeUndefined();
});
