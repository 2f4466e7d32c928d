import { z } from 'zod';
import { platformSandbox } from './platform-sandbox.ts';

const settingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  /** The file in which accepted events are stored. Default: in memory only. */
  EVENTS_FILE: z.string().min(1).optional(),
  /** How many accepted events it keeps. Default: 200,000. */
  EVENTS_MAX: z.coerce.number().int().min(1).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3003),
});
const { HOST, PORT, EVENTS_FILE: eventsFile, EVENTS_MAX: eventsMax } = settingsSchema.parse(process.env);

const server = platformSandbox({ eventsFile, eventsMax }).listen(PORT, HOST, (error) => {
  if (error) throw new Error(`platform-sandbox cannot listen on http://${HOST}:${PORT}`, { cause: error });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : PORT; // port 0 selects a free one
  process.stdout.write(`platform-sandbox listens on http://${HOST}:${port}\n`);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close();
    // clients keep connections open, and one may wait for a response that is never sent
    server.closeAllConnections();
  });
}
