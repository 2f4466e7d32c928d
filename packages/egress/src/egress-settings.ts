import { z } from 'zod';

/** Part of the settings of every app that checks or calls webhooks. */
export const egressSettings = {
  /** Webhooks may be on this machine, also without TLS: for tests. */
  WEBHOOKS_ALLOW_LOOPBACK: z.stringbool().default(false),
};
