import { z } from 'zod';
import { defaultPorts, type EgressOptions } from './address-problem.ts';

const portsMessage = 'expected ports with commas, such as 443,8443';

/** Part of the settings of every app that checks or calls webhooks. */
export const egressSettings = {
  /** Webhooks may be on this machine, also without TLS: for tests. */
  WEBHOOKS_ALLOW_LOOPBACK: z.stringbool().default(false),
  /** The ports of other machines that webhooks may have. */
  WEBHOOKS_PORTS: z
    .string()
    .transform((list) => list.split(',').map(Number))
    .pipe(z.array(z.number(portsMessage).int(portsMessage).min(1, portsMessage).max(65_535, portsMessage)))
    .default([...defaultPorts]),
};

const given = z.object({
  WEBHOOKS_ALLOW_LOOPBACK: z.boolean().default(false),
  WEBHOOKS_PORTS: z.array(z.number()).default([...defaultPorts]),
});

/** Of settings that were read with `egressSettings`; without them, as in production. */
export const egressOf = (settings: Readonly<Record<string, unknown>>): Required<EgressOptions> => {
  const { WEBHOOKS_ALLOW_LOOPBACK: allowLoopback, WEBHOOKS_PORTS: ports } = given.parse(settings);
  return { allowLoopback, ports };
};
