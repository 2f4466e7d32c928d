import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findInterpreter } from '@leadback/testing/stack';
import { givenServer } from '@leadback/testing';
import { expect, inject, it } from 'vitest';
import { codeBlocks, root } from '../support/code-blocks.ts';

const execute = promisify(execFile);

it.each([
  { sample: 'shop.py', file: 'leadback.py', interpreter: 'python3' },
  { sample: 'shop.php', file: 'leadback.php', interpreter: 'php' },
] as const)('the sample $sample registers a client and a sale beside $file', async ({ sample, file, interpreter }) => {
  const seen: string[] = [];
  await using api = await givenServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])}`);
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id": 31, "leadId": 12}');
  });
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'sdk-'));
  const [block] = codeBlocks('docs/sdks.md').filter(({ name }) => name === sample);
  await writeFile(join(folder, sample), block?.code ?? '');
  await copyFile(join(root, 'apps/api/src/documentation/sdk', file), join(folder, file));
  const env = {
    ...process.env,
    LEADBACK_KEY: 'lb_1',
    LEADBACK_URL: `${api.url}/api/v1`,
    SERVICE_ID: 'Zk3vT9qLm2XcB7nRw5YdHs',
  };
  const { stdout } = await execute(await findInterpreter(interpreter), [join(folder, sample)], { env });
  expect(stdout).toBe('registered 31\n');
  expect(seen).toEqual(['POST /api/v1/client lb_1', 'POST /api/v1/client/conversion lb_1']);
});
