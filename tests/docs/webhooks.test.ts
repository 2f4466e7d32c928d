import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findInterpreter, freePort, localUrl } from '@leadback/testing/stack';
import { webhookEventTypes } from '@leadback/domain';
import { newWebhookSecret } from '@leadback/domain/keys';
import { eventually } from '@leadback/testing';
import { expect, inject, it } from 'vitest';
import { signedHeaders } from '../../packages/platforms/src/webhook/index.ts';
import { codeBlocks, root } from '../support/code-blocks.ts';

const samples = [
  { sample: 'webhook.mjs', beside: 'node_modules/@leadback/sdk', of: 'packages/sdk' },
  { sample: 'webhook.py', beside: 'leadback.py', of: 'apps/api/src/documentation/sdk/leadback.py' },
  { sample: 'webhook.php', beside: 'leadback.php', of: 'apps/api/src/documentation/sdk/leadback.php' },
] as const;

const commandOf = async (sample: (typeof samples)[number]['sample'], port: number): Promise<[string, string[]]> => {
  if (sample === 'webhook.mjs') return [process.execPath, ['--conditions=leadback-source', sample]];
  if (sample === 'webhook.py') return [await findInterpreter('python3'), [sample]];
  return [await findInterpreter('php'), ['-S', `127.0.0.1:${port}`, sample]];
};

const givenReceiver = async ({ sample, beside, of }: (typeof samples)[number], secret: string) => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'receiver-'));
  const [block] = codeBlocks('docs/webhooks.md').filter(({ name }) => name === sample);
  await writeFile(join(folder, sample), block?.code ?? '');
  await mkdir(dirname(join(folder, beside)), { recursive: true });
  await (of === 'packages/sdk' ? symlink : copyFile)(join(root, of), join(folder, beside));
  const port = await freePort();
  const [command, words] = await commandOf(sample, port);
  const env = { ...process.env, LEADBACK_WEBHOOK_SECRET: secret, PORT: String(port), TMPDIR: folder };
  const receiver = spawn(command, words, { cwd: folder, env });
  const printed: string[] = [];
  for (const stream of [receiver.stdout, receiver.stderr])
    stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  const url = `${localUrl(port)}/leadback-webhook`;
  await eventually(() => fetch(url, { method: 'POST', body: '{}' }));
  return {
    /** The printed lines about a type of events. */
    linesOf: (type: string) =>
      printed
        .join('')
        .split('\n')
        .filter((line) => line.includes(type)),
    async statusOf(body: string, headers: Readonly<Record<string, string>>) {
      return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }))
        .status;
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        receiver.once('exit', () => resolve()).kill('SIGKILL');
      }),
  };
};

it.each(samples)(
  'the receiver $sample accepts a genuine webhook once, and refuses forged and old ones',
  async (sample) => {
    const secret = newWebhookSecret();
    await using receiver = await givenReceiver(sample, secret);
    const body = JSON.stringify({
      type: 'delivery.failed',
      timestamp: '2026-11-21T12:00:00.420Z',
      data: { deliveryId: 96 },
    });
    const nowMs = Date.now();
    const signed = signedHeaders({ secret }, { id: 'evt_1', body, nowMs });
    expect(await receiver.statusOf(body, signed)).toBe(204);
    expect(await receiver.statusOf(body, signed)).toBe(204);
    expect(await receiver.statusOf(body.replace('96', '97'), signed)).toBe(400);
    const old = signedHeaders({ secret }, { id: 'evt_2', body, nowMs: nowMs - 6 * 60_000 });
    expect(await receiver.statusOf(body, old)).toBe(400);
    // while the secret is changed, a request has a signature of each
    const until = new Date(nowMs + 60_000).toISOString();
    const rotated = signedHeaders(
      { secret: newWebhookSecret(), earlier: [{ secret, until }] },
      { id: 'evt_3', body, nowMs },
    );
    expect(await receiver.statusOf(body, rotated)).toBe(204);
    await eventually(() => expect(receiver.linesOf('delivery.failed')).toHaveLength(2));
  },
);

it('the page about webhooks has a row for every event', () => {
  const page = readFileSync(join(root, 'docs', 'webhooks.md'), 'utf8');
  for (const type of webhookEventTypes) expect(page).toContain(`\n| \`${type}\` | `);
});
