import { z } from 'zod';

/** The settings of every app with a public server: the shape of a zod object, to spread into the schema of an app. */
export const connectionSettings = {
  /** The number of proxies in front that append to X-Forwarded-For. */
  TRUST_PROXY: z.coerce.number().int().min(0).default(0),
  /** 0: no limit. */
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(0).default(1_000),
};

type ConnectionSettings = z.output<z.ZodObject<typeof connectionSettings>>;

/** How many connections a network may have; undefined: any number, as behind a proxy, which has all of them. */
export const connectionsPerNetwork = (settings: ConnectionSettings): number | undefined =>
  settings.TRUST_PROXY > 0 || settings.CONNECTIONS_PER_ADDRESS === 0 ? undefined : settings.CONNECTIONS_PER_ADDRESS;
