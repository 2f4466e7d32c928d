import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answered.ts';
import { judgeReply, redaction } from '../judge-reply.ts';
import { judgeMetaAnswer } from './codes.ts';

const judged = (error: Readonly<Record<string, unknown>>) =>
  judgeReply(answered(400, { error: { type: 'GraphMethodException', code: 100, ...error } }), {
    judge: judgeMetaAnswer(1),
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
