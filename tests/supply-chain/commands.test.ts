import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { givenServer } from '@leadback/test-fixtures';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runTask } from './run-task.ts';

const root = join(import.meta.dirname, '..', '..');

const advisory = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-xxxx-xxxx-xxxx',
  title: 'Something is wrong with express',
  severity: 'high',
  vulnerable_versions: '<99.0.0',
  cwe: [],
  cvss: { score: 7.5, vectorString: null },
};

const billSchema = z.object({ components: z.array(z.object({ name: z.string() })) });

/** The names in the bill of materials of an app. */
const namesOf = async (app: string) => {
  const file = join(root, 'sbom', `leadback-${app}.cdx.json`);
  return billSchema.parse(JSON.parse(await readFile(file, 'utf8'))).components.map(({ name }) => name);
};

/** Runs a task against a registry with this response. */
const askedOf = async (task: string, status: number, body: unknown) => {
  await using registry = await givenServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return await runTask(task, '--registry', registry.url);
};

describe('npm run audit', () => {
  it('npm run audit reports no vulnerabilities, some, or that the registry could not be queried', async () => {
    expect(await askedOf('audit', 200, {})).toMatchObject({ status: 0 });
    expect(await askedOf('audit', 200, { express: [advisory] })).toMatchObject({
      status: 1,
      output: expect.stringContaining(advisory.title),
    });
    expect(await askedOf('audit', 405, { message: 'not here' })).toMatchObject({
      status: 2,
      output: expect.stringContaining('The audit did not run: '),
    });
  });
});

describe('npm run advisories', () => {
  it('npm run advisories says that the registry could not be queried, or how many advisories are new', async () => {
    expect(await askedOf('advisories', 405, { message: 'not here' })).toMatchObject({
      status: 2,
      output: expect.stringContaining('The list is unchanged: '),
    });
    expect(await askedOf('advisories', 200, {})).toMatchObject({ status: 0, output: '0 new advisories\n' });
  });
});

describe('npm run licences', () => {
  it('docs/licences.md lists the current libraries, and all licences are allowed', async () => {
    expect(await runTask('licences', '--check')).toEqual({ status: 0, output: '' });
  });
});

describe('npm run sbom', () => {
  it('npm run sbom lists all production dependencies of each app and no development dependencies', async () => {
    expect(await runTask('sbom')).toMatchObject({ status: 0 });
    for (const app of ['api', 'landing', 'feedback-worker', 'operator']) {
      const names = await namesOf(app);
      expect([app, names]).toEqual([app, expect.arrayContaining(['db', 'pg', 'pg-protocol', 'zod'])]);
      expect(names.filter((name) => ['vitest', 'typescript', 'tsup', 'test-fixtures'].includes(name))).toEqual([]);
    }
    // its image is for tests, and has no database
    expect(await namesOf('platform-sandbox')).toEqual(expect.arrayContaining(['express', 'zod']));
  });
});
