import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '../src/index.ts';
import { commandLine } from '../src/processes/process-table.ts';
import { until } from '../src/processes/until.ts';
import { anotherStarter } from './another-starter.ts';
import { startDemoApp } from './start-demo-app.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('app', () => {
  it('starts an app with the given environment and without that of its starter', async () => {
    await using dir = await temporaryFolder();
    const port = await freePort();
    await using app = await startDemoApp(dir.path, port, { GIVEN: 'yes' });
    const told = z.record(z.string(), z.string()).parse(await (await fetch(`http://127.0.0.1:${port}/`)).json());
    expect(told).toMatchObject({ GIVEN: 'yes', PATH: process.env['PATH'] });
    expect(told).not.toHaveProperty('VITEST');

    await app.stop();
    expect(await app.exited).toBe('SIGTERM');
  });

  it('throws with the last log lines if an app ends before it is ready', async () => {
    await using dir = await temporaryFolder();
    const start = startDemoApp(dir.path, await freePort(), { BREAK: 'yes' });
    await expect(start).rejects.toThrow(/demo ended \(status 3\) before it was ready[^]*line 11\n[^]*line 30$/);
    await expect(start).rejects.not.toThrow('line 10\n');
  });

  it('ends an app when its starter is killed', async () => {
    await using dir = await temporaryFolder();
    const starter = await anotherStarter('app', dir.path);
    expect(commandLine(starter.startedPid)).toContain('demo-app.ts');
    await starter.kill();
    expect(await until(() => commandLine(starter.startedPid) === '', 5_000)).toBe(true);
  });
});
