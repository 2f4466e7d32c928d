import { z } from 'zod';

const name = 'expected the name of an event, such as Purchase or Lead';
const testCode = 'expected the code that "Test events" of Events Manager shows, such as TEST12345';

/** The event name that the account's campaigns use for a conversion. */
export const eventNameSchema = z
  .string({ error: name })
  .trim()
  .min(1, name)
  .default('Purchase')
  .meta({ label: 'Event name', help: 'name of conversion events, default Purchase', value: 'name' });

/** The event name that the account's campaigns use for the registration of a client. */
export const leadEventNameSchema = z
  .string({ error: name })
  .trim()
  .min(1, name)
  .default('Lead')
  .meta({ label: 'Lead event name', help: 'name of Lead events (see `--events`), default Lead', value: 'name' });

/** The code under which "Test events" of Events Manager shows conversions registered with a test key. */
export const testEventCodeSchema = z.string({ error: testCode }).trim().regex(/^\w+$/, testCode).optional().meta({
  label: 'Test event code',
  help: 'code of "Test events" in Events Manager, which then shows deliveries of test keys; without it they are skipped. The platform may still measure with them',
  value: 'code',
});
