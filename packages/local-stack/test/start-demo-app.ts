import { join } from 'node:path';
import { startProcess } from '../src/index.ts';

export const startDemoApp = (dir: string, port: number, env: Readonly<Record<string, string>> = {}) =>
  startProcess({
    name: 'demo',
    script: 'demo-app.ts',
    cwd: import.meta.dirname,
    env: { PORT: String(port), ...env },
    logFile: join(dir, 'demo.log'),
    readyUrl: `http://127.0.0.1:${port}/`,
  });
