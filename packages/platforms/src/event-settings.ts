import { z } from 'zod';

const name = 'expected the name of an event, such as Purchase or Lead';
const testCode = 'expected the code that "Test events" of Events Manager shows, such as TEST12345';

/** The event name that the account's campaigns use for a conversion. */
export const eventNameSchema = z.string({ error: name }).trim().min(1, name).default('Purchase');

/** The code under which "Test events" of Events Manager shows conversions registered with a test key. */
export const testEventCodeSchema = z.string({ error: testCode }).trim().regex(/^\w+$/, testCode).optional();
