import { z } from 'zod';
import type { BenchStack } from './bench-stack.ts';

const withEventId = z.union([
  z.object({ event_id: z.string() }).transform(({ event_id: id }) => id),
  z.object({ transactionId: z.string() }).transform(({ transactionId: id }) => id),
]);

const receivedSchema = z.array(
  z
    .object({ platform: z.string(), receivedAt: z.iso.datetime(), event: withEventId })
    .transform(({ platform, receivedAt, event }) => ({
      platform,
      eventId: event,
      receivedAtMs: Date.parse(receivedAt),
    })),
);

/** The events that the platforms have received, at most the last 200,000. */
export const receivedEvents = async ({ sandboxUrl }: BenchStack): Promise<z.infer<typeof receivedSchema>> => {
  const response = await fetch(`${sandboxUrl}/events`);
  return receivedSchema.parse(await response.json());
};

/** Forgets the events received so far. */
export const clearEvents = async ({ sandboxUrl }: BenchStack): Promise<void> => {
  const response = await fetch(`${sandboxUrl}/events`, { method: 'DELETE' });
  if (!response.ok) throw new Error(`cannot clear the events: the sandbox responded with ${response.status}`);
};

interface Behaviour {
  readonly platform: string;
  readonly answer: 'ok' | 'time-out';
  /** How long it takes for each request. */
  readonly delayMs?: number;
}

/** Makes a platform behave otherwise, until it is told again. */
export const platformBehaves = async ({ sandboxUrl }: BenchStack, behaviour: Behaviour): Promise<void> => {
  const response = await fetch(`${sandboxUrl}/behaviour`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behaviour),
  });
  if (!response.ok)
    throw new Error(`cannot change ${behaviour.platform}: the sandbox responded with ${response.status}`);
};
