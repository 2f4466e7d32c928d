import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { googleEvent, googleRequest, metaEvent, metaRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());

const hashOf = (text: string, encoding: 'hex' | 'base64' = 'hex') => createHash('sha256').update(text).digest(encoding);
const wrong = [
  ['readable', 'ana@example.com'],
  ['in capitals', hashOf('ana').toUpperCase()],
  ['in base64', hashOf('ana', 'base64')],
  ['cut off', hashOf('ana').slice(1)],
  ['in MD5', createHash('md5').update('ana').digest('hex')],
  ['the hash of an empty text', hashOf('')],
  ['the hash of "null"', hashOf('null')],
  ['the hash of "undefined"', hashOf('undefined')],
] as const;
const each = (fields: readonly string[]) =>
  fields.flatMap((field) => wrong.map(([how, value]) => [field, how, value] as const));

const byGoogle = (field: string, value: string) => {
  const address = { givenName: hashOf('ana'), familyName: hashOf('paz'), regionCode: 'AR', postalCode: '1000' };
  const isOfAddress = field === 'givenName' || field === 'familyName';
  return isOfAddress ? { address: { ...address, [field]: value } } : { [field]: value };
};

const sendToGoogle = (field: string, value: string, encoding = 'HEX') =>
  sandbox.google(
    googleRequest([googleEvent({ userData: { userIdentifiers: [byGoogle(field, value)] } })], { encoding }),
  );

describe('an identifier', () => {
  it.each(each(['em', 'ph', 'fn', 'ln']))('Meta rejects the identifier %s that is %s', async (field, _how, value) => {
    const known = { external_id: [hashOf('7')] };
    for (const written of [value, [hashOf('ana'), value]]) {
      const event = metaEvent({ user_data: { ...known, [field]: written } });
      expect(await sandbox.meta(metaRequest(event))).toMatchObject({
        status: 400,
        body: { error: { code: 100, error_user_msg: expect.stringContaining(`data[0].user_data.${field}`) } },
      });
    }
  });

  it.each(each(['emailAddress', 'phoneNumber', 'givenName', 'familyName']))(
    'Google rejects the identifier %s that is %s',
    async (field, _how, value) => {
      expect(await sendToGoogle(field, value)).toMatchObject({
        status: 400,
        body: {
          error: {
            details: expect.arrayContaining([
              {
                '@type': expect.any(String),
                fieldViolations: [
                  expect.objectContaining({ field: expect.stringContaining(field), reason: 'INVALID_SHA256_FORMAT' }),
                ],
              },
            ]),
          },
        },
      });
    },
  );

  it('Google rejects the hash of an empty value in base64 as well', async () => {
    expect(await sendToGoogle('emailAddress', hashOf('ana', 'base64'), 'BASE64')).toMatchObject({ status: 200 });
    expect(await sendToGoogle('emailAddress', hashOf('', 'base64'), 'BASE64')).toMatchObject({ status: 400 });
  });
});
