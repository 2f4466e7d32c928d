import { expect, it, describe } from 'vitest';
import { answered } from '../../test/answered.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { judgeMetaResponse } from './codes.ts';
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

const judged = (error: Readonly<Record<string, unknown>>) =>
  judgeReply(answered(400, { error: { type: 'GraphMethodException', code: 100, ...error } }), {
    judge: judgeMetaResponse(1),
    redact: redaction(),
    nowMs: 0,
  }).outcome;

describe("Meta's rejection of the app secret proof", () => {
  it.each([
    'Invalid appsecret_proof provided in the API argument',
    'API calls from the server require an appsecret_proof argument',
    '(#100) API calls from the server require an appsecret_proof argument',
  ])("Meta's message %j rejects the credentials, although its code is that of an invalid parameter", (message) => {
    expect(judged({ message, error_user_msg: 'Words for people' })).toEqual({
      kind: 'refused',
      reason: `100: ${message}`,
    });
  });

  it("does not reject a connection because of an appsecret_proof in a visitor's data", () => {
    const message = 'Invalid parameter: Invalid appsecret_proof provided in the API argument';
    expect(judged({ message })).toMatchObject({ kind: 'rejected' });
  });
});
