import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Lead } from '@leadback/db';
import { eventually, givenLandingPage } from '@leadback/testing';
import { describe, expect, inject, it } from 'vitest';
import { pageFileName } from '../src/pages/pages.ts';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

const target = 'https://shop.example/offer';

/** A file that blocks each reader, and a thread of Node with it, until it is disposed. */
const hangingFile = async (folder: string, name: string) => {
  const path = join(folder, name);
  await promisify(execFile)('mkfifo', [path]);
  return {
    async [Symbol.asyncDispose]() {
      // each reader gets an empty file
      await using _writer = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
      await promisify(execFile)('rm', ['-f', path]);
    },
  };
};

describe('a disk that hangs', () => {
  it('keeps no visitor waiting, with and without PostgreSQL, and is used again once it responds', async () => {
    await using landing = await givenLanding({ diskMaxMs: 500 });
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const visit = async () => (await landing.visit(`/${page.slug}`)).location;
    {
      await using _hanging = await hangingFile(landing.spoolFolder, '1.leads');
      // twice, because each attempt to record the file hangs one of two threads
      await landing.diskHung();
      await landing.diskHung();
      expect(referenceIn(await visit())).not.toBe('');
      landing.loseDatabase();
      await eventually(async () => expect(await visit()).toBe(target));
      expect(await visit()).toBe(target);
    }
    await eventually(async () => expect(referenceIn(await visit())).not.toBe(''));
    const reference = referenceIn(await visit());
    await landing.findDatabaseAgain();
    await eventually(async () => expect(await landing.database.em().count(Lead, { reference })).toBe(1));
  });

  it('does not keep the app from starting', async () => {
    const spoolFolder = await mkdtemp(join(inject('temporaryFolder'), 'hung-'));
    await using _id = await hangingFile(spoolFolder, 'id');
    await using _pages = await hangingFile(spoolFolder, pageFileName);
    await using landing = await givenLanding({ spoolFolder, diskMaxMs: 500 });
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const reference = referenceIn((await landing.visit(`/${page.slug}`)).location);
    expect(await landing.database.em().count(Lead, { reference })).toBe(1);
  });
});
