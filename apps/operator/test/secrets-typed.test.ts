import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { platformList } from '@leadback/platforms';
import { describe, expect, inject, it } from 'vitest';
import { readSecrets, type SecretSources, secretSources } from '../src/read-secrets.ts';

const sources = (lines: string[] = []): SecretSources => ({
  nextLine: (name) => Promise.resolve(lines.shift() ?? `no line for ${name}`),
  ask: (name) => Promise.resolve(`asked for ${name}`),
});
const read = (typed: Record<string, unknown>, lines?: string[]) => readSecrets(typed, platformList, sources(lines));

const inFile = async (content: string): Promise<string> => {
  const file = join(await mkdtemp(join(inject('temporaryFolder'), 'secret-')), 'token');
  await writeFile(file, content);
  return file;
};

describe('a secret of a connection', () => {
  it('is read from a file, without the end of its line', async () => {
    const file = await inFile('EAAB-secret\n');
    expect(await read({ pixelId: '1', accessToken: `@${file}` })).toEqual({ pixelId: '1', accessToken: 'EAAB-secret' });
  });

  it('is the next line of standard input for each -, in the order in which --help lists the options', async () => {
    const typed = { refreshToken: '-', clientSecret: '-', clientId: 'c' };
    expect(await read(typed, ['first', 'second'])).toEqual({
      clientId: 'c',
      clientSecret: 'first',
      refreshToken: 'second',
    });
  });

  it('is asked for if the option has no value', async () => {
    expect(await read({ accessToken: true })).toEqual({ accessToken: 'asked for accessToken' });
  });

  it('is removed by the empty text', async () => {
    expect(await read({ appSecret: '' })).toEqual({ appSecret: '' });
  });

  it('is refused on the command line, with the ways to give it and without showing it', async () => {
    const refused = read({ accessToken: 'EAAB-secret' });
    await expect(refused).rejects.toThrow(/^--access-token: a secret on the command line .* @ and the path of a file/);
    await expect(refused).rejects.not.toThrow('EAAB-secret');
  });

  it('is taken from the command line with --from-argv-i-know, for scripts of tests', async () => {
    expect(await read({ accessToken: 'EAAB-secret', fromArgvIKnow: true })).toEqual({ accessToken: 'EAAB-secret' });
  });

  it.each([
    ['--access-token', '--access-token: there is no terminal to ask on'],
    ['--access-token -', '--access-token: standard input has no line for it'],
    ['--access-token @/nowhere', '--access-token: there is no file /nowhere'],
  ])('that %s cannot give is an error that names the option', async (typed, message) => {
    const [, value = true] = typed.split(' ');
    const standardInput = new PassThrough();
    standardInput.end();
    await expect(
      readSecrets(
        { accessToken: value },
        platformList,
        secretSources({ stdin: standardInput, stderr: process.stderr }),
      ),
    ).rejects.toThrow(message);
  });
});
