import { z } from 'zod';
import { transform } from './transform.ts';

/** Prefix of the event ids of tests, and of no live ones, so that no platform takes a test for a sale. */
export const testEventIdPrefix = 'test:';

const eventIdShape = /^[A-Za-z0-9._:-]{1,64}$/;
const eventIdFormat = 'expected 1 to 64 characters of A-Z a-z 0-9 . _ : -';

/** The id that the partner's pixel sends for the same sale. Absent, `null` and blank count as not sent. */
export const eventIdSchema = z
  .string({ error: eventIdFormat })
  .meta({ maxLength: 64, pattern: '^[A-Za-z0-9._:-]*$' })
  .trim()
  .refine((id) => id === '' || eventIdShape.test(id), eventIdFormat)
  .refine((id) => !id.startsWith(testEventIdPrefix), `must not begin with "${testEventIdPrefix}", which marks tests`)
  .nullish()
  .pipe(transform((id: string | null | undefined) => id || undefined));

/**
 * The event id of the registration of a client. With the id of the installation, a UUID, no partner's own id is the same
 * by accident.
 */
export const leadEventId = (installationId: string, clientId: number, isTest: boolean): string =>
  `${isTest ? testEventIdPrefix : ''}lead:${installationId}:${clientId}`;

const eventNameShape = /^[A-Za-z0-9 ._-]{1,64}$/;
const eventNameFormat = 'expected 1 to 64 characters of A-Z a-z 0-9 . _ - and blanks';

/** A partner's own name for a kind of conversion. Absent, `null` and blank count as not sent. */
export const eventNameSchema = z
  .string({ error: eventNameFormat })
  .meta({ maxLength: 64, pattern: '^[A-Za-z0-9 ._-]*$' })
  .trim()
  .refine((name) => name === '' || eventNameShape.test(name), eventNameFormat)
  .nullish()
  .pipe(transform((name: string | null | undefined) => name || undefined));

/**
 * What a connection may be told of. lead: a client was registered. Adjustments are not chosen: they follow their conversion.
 */
export const eventKinds = ['conversion', 'lead'] as const;
export type EventKind = (typeof eventKinds)[number];
