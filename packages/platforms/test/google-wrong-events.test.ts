import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { googleError } from './google-error.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, serveScripted } from './scripted-server.ts';

/** The outcome of three events if Google reports these violations. */
const outcomeOf = async (...violations: NonNullable<Parameters<typeof googleError>[3]>) => {
  await using server = await serveScripted();
  server.play(respond(400, googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', violations)));
  const urls = { PLATFORM_SANDBOX_URL: server.url };
  const access = platformRegistry(urls, { now: () => now }).google.access(
    { customerId: '1234567890', conversionActionId: '848898416' },
    { clientId: 'client', clientSecret: 'secret', refreshToken: '1//refresh' },
    'live',
  );
  const events = ['Canary-Click-1', 'Canary-Click-2', 'Canary-Click-3'].map((gclid) =>
    preparedEvent(access, givenConversion({ lead: { clickParameters: { gclid } } })),
  );
  return (await access.send(events)).outcome;
};

const wrongClick = (index: number) => ({
  field: `events.events[${index}].adIdentifiers.gclid`,
  reason: 'INVALID_FORMAT',
  description: `Canary-Click-${index + 1} of ana@example.com is no click.`,
});

describe('a request that Google refuses', () => {
  it('returns the events that Google rejects, without personal data', async () => {
    const reason = 'INVALID_FORMAT: [redacted] of [redacted] is no click.';
    expect(await outcomeOf(wrongClick(2), wrongClick(0))).toEqual({
      kind: 'rejected',
      reason,
      events: [
        { index: 2, reason },
        { index: 0, reason },
      ],
    });
  });

  it('returns no events if Google rejects anything else as well', async () => {
    const elsewhere = { field: 'encoding', reason: 'REQUIRED_FIELD_MISSING' };
    expect(await outcomeOf(wrongClick(1), elsewhere)).not.toHaveProperty('events');
  });

  it('returns no events if Google rejects the settings', async () => {
    const settings = { field: 'events.events[0]', reason: 'INVALID_CONVERSION_ACTION_ID' };
    const outcome = await outcomeOf(wrongClick(1), settings);
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(outcome).not.toHaveProperty('events');
  });
});
