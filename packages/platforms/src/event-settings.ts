import { z } from 'zod';

const name = 'expected the name of an event, such as Purchase or Lead';
const testCode = 'expected the code that "Test events" of Events Manager shows, such as TEST12345';

/** What the account's campaigns call a conversion. */
export const eventNameSchema = z.string({ error: name }).trim().min(1, name).default('Purchase');

/** Under which "Test events" of Events Manager shows what a test key has registered. */
export const testEventCodeSchema = z.string({ error: testCode }).trim().regex(/^\w+$/, testCode).optional();
