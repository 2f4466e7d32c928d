import { z } from 'zod';

const eventsSchema = z.array(
  z.object({ platform: z.string(), connection: z.string(), event: z.record(z.string(), z.unknown()) }),
);

const conversionsSchema = z.array(
  z.object({ connection: z.string(), id: z.string(), value: z.number(), events: z.number() }),
);

export type SandboxEvent = z.infer<typeof eventsSchema>[number];

export interface Behaviour {
  readonly platform: 'meta' | 'google';
  readonly answer: 'ok' | 'server-error' | 'bad-credentials' | 'bad-event' | 'accepted-but-lost' | 'time-out';
  readonly times?: number;
  readonly delayMs?: number;
}

/** The id by which a platform detects duplicates. */
export const eventId = ({ event }: SandboxEvent): string => String(event.event_id ?? event.transactionId);

/** A client of the platform sandbox. */
export const sandboxAt = (url: string) => ({
  url,
  /** Everything that was received, newest first. */
  events: async (): Promise<SandboxEvent[]> => eventsSchema.parse(await (await fetch(`${url}/events`)).json()),
  /** The conversions that platforms count which overwrite them. */
  conversions: async () => conversionsSchema.parse(await (await fetch(`${url}/conversions`)).json()),
  behave: async (behaviour: Behaviour): Promise<void> => {
    const response = await fetch(`${url}/behaviour`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(behaviour),
    });
    if (!response.ok) throw new Error(`the sandbox responded with ${response.status}: ${await response.text()}`);
  },
});
