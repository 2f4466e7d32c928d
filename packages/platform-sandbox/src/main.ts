import { z } from 'zod';
import { platformSandbox } from './platform-sandbox.ts';

const settingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Where accepted events are kept; left out, they are gone with the process. */
  EVENTS_FILE: z.string().min(1).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3003),
});
const { HOST, PORT, EVENTS_FILE: eventsFile } = settingsSchema.parse(process.env);

const server = platformSandbox({ eventsFile }).listen(PORT, HOST, (error) => {
  if (error) throw new Error(`platform-sandbox cannot listen on http://${HOST}:${PORT}`, { cause: error });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : PORT; // 0 asks for any that is free
  process.stdout.write(`platform-sandbox listens on http://${HOST}:${port}\n`);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close();
    // clients keep their connections alive, and one may be waiting for an answer that never comes
    server.closeAllConnections();
  });
}
