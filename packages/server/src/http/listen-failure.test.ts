import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { serve } from './serve.ts';

it('a server whose port is taken fails with the settings that change it', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(serve(() => {}, { host: '127.0.0.1', port })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use. Stop the process that listens there, or set PORT or OPERATIONS_PORT to a free port`,
  );
  taken.close();
});
