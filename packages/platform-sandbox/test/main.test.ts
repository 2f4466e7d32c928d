import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { Agent, get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { metaEvent, metaRequest } from './given-events.ts';

const startMain = async (env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: new URL('..', import.meta.url),
    env: { PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, line: String(line), [Symbol.dispose]: () => void child.kill('SIGKILL') };
};

const expectsToSend = { 'content-type': 'application/json', 'content-length': '10', expect: '100-continue' };

type Started = Awaited<ReturnType<typeof startMain>>;

const urlOf = ({ line }: Started): string => line.trim().split(' ').at(-1) ?? '';

const sendEvent = async (main: Started, id: string): Promise<void> => {
  const sent = metaRequest(metaEvent({ event_id: id, event_time: Math.floor(Date.now() / 1000) }));
  const accepted = await fetch(`${urlOf(main)}/v25.0/1234/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
  expect(accepted.status).toBe(200);
};

const eventsOf = async (main: Started): Promise<unknown> => (await fetch(`${urlOf(main)}/events`)).json();

describe('the sandbox process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('prints its URL and stops at %s despite open connections', async (signal) => {
    using main = await startMain();
    expect(main.line).toMatch(/^platform-sandbox listens on http:\/\/127\.0\.0\.1:\d+\n$/);

    const agent = new Agent({ keepAlive: true });
    const [response] = await once(get(`${urlOf(main)}/health`, { agent }), 'response');
    await once(response.resume(), 'end');
    // its body never comes, for which a server waits five minutes
    const unfinished = request(`${urlOf(main)}/v25.0/1234/events`, { method: 'POST', headers: expectsToSend });
    unfinished.on('error', () => {}); // the sandbox closes the connection
    unfinished.flushHeaders();
    await once(unfinished, 'continue');

    const exited = once(main.child, 'exit', { signal: AbortSignal.timeout(120_000) });
    main.child.kill(signal);
    expect(await exited).toEqual([0, null]);
  });

  it('reads the accepted events from its file after a kill', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'sandbox-'));
    const eventsFile = join(folder.path, 'events.jsonl');
    using killed = await startMain({ EVENTS_FILE: eventsFile });
    await sendEvent(killed, 'kept');
    const exited = once(killed.child, 'exit');
    killed.child.kill('SIGKILL');
    await exited;
    using main = await startMain({ EVENTS_FILE: eventsFile });
    expect(await eventsOf(main)).toMatchObject([{ platform: 'meta', connection: '1234', event: { event_id: 'kept' } }]);
  });

  it('keeps as many events as EVENTS_MAX, the newest ones', async () => {
    using main = await startMain({ EVENTS_MAX: '2' });
    for (const id of ['first', 'second', 'third']) await sendEvent(main, id);
    expect(await eventsOf(main)).toMatchObject([{ event: { event_id: 'third' } }, { event: { event_id: 'second' } }]);
  });
});
