import { sendableAgeMs } from '../event-time.ts';

export const googleEventAgeMaxMs = sendableAgeMs(90);
