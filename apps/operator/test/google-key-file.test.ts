import { dirname } from 'node:path';
import { givenConnection, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenFile } from './given-file.ts';
import { givenOperator } from './given-operator.ts';
import { googleKey as key, googleKeySecret as secret } from './google-key.ts';

const typedOauth = '--client-id c --client-secret s --refresh-token r';
const named = (text: string, file: string) => text.replace('FILE', file).replace('FOLDER', dirname(file));

describe('Google credentials as they are typed', async () => {
  const operator = await shared(givenOperator());
  const account = await operator.givenAccountId();
  const file = await givenFile('key.json', JSON.stringify(key));

  const create = async (options: string) => {
    const settings = '--customer-id 123-456-7890 --conversion-action-id 987';
    return operator.type(`connection create --account ${account} --platform google ${settings} ${options} --json`);
  };

  it.each([
    [
      '--service-account=',
      '--service-account: there are no credentials; give --service-account @key.json, or --client-id',
    ],
    [
      `${typedOauth} --service-account @FILE`,
      'give one kind of credentials: --service-account @key.json, or --client-id',
    ],
    ['--client-id c', '--client-secret: expected the secret of the OAuth client'],
    ['--service-account FILE', '--service-account: expected @ and the path of a key file, such as @key.json'],
    ['--service-account @/nowhere/key.json', '--service-account: there is no file /nowhere/key.json'],
    ['--service-account @FOLDER', 'FOLDER (EISDIR); give a file that this user may read'],
  ])('rejects the Google credentials "%s" and says what to fix', async (options, message) => {
    const { status, out, err } = await create(named(options, file));
    expect(err).toContain(named(message, file));
    expect([status, out]).toEqual([1, '']);
    expect(err).not.toContain(secret);
  });

  it.each([
    ['text that is not JSON', `${JSON.stringify(key)}}`, 'is not JSON'],
    [
      'an OAuth client',
      JSON.stringify({ installed: { client_id: 'c', client_secret: 's' } }),
      'the key of a service account',
    ],
    ['a key without its private part', JSON.stringify({ ...key, private_key: undefined }), 'private_key'],
    [
      'a key whose private part is cut off',
      JSON.stringify({ ...key, private_key: key.private_key.slice(0, 300) }),
      'private_key',
    ],
    ['a list', '[]', 'the key of a service account'],
  ])('rejects a key file with %s, says what to fix and prints nothing of the file', async (_, content, message) => {
    const path = await givenFile('key.json', content);
    const { status, out, err } = await create(`--service-account @${path}`);
    expect(err).toMatch(/^--service-account: /);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
    expect(err).not.toContain(secret);
  });

  it('rejects a service account key for a Meta connection', async () => {
    const { id } = await givenConnection(operator.database.em());
    const { status, err } = await operator.type(`connection change ${id} --service-account @${file}`);
    expect([status, err]).toEqual([1, '--service-account: Meta has no such setting\n']);
  });
});
