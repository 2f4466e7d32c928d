import { createServer } from 'node:http';
import { z } from 'zod';
import { platformSandbox } from './platform-sandbox.ts';

const { PORT, HOST } = z
  .object({ PORT: z.coerce.number().int().min(1).max(65_535).default(3003), HOST: z.string().default('127.0.0.1') })
  .parse(process.env);

const server = createServer(platformSandbox()).listen(PORT, HOST, () => {
  process.stdout.write(`platform-sandbox listens on http://${HOST}:${PORT}\n`);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
