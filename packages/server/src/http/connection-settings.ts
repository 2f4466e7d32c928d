import { z } from 'zod';

/** The settings of every app with a public server: the shape of a zod object, to spread into the schema of an app. */
export const connectionSettings = {
  /** The number of proxies in front that append to X-Forwarded-For. */
  TRUST_PROXY: z.coerce.number().int().min(0).default(0),
};

/** A tenth of what a process may have. A browser opens six, and known callers of the API and the console have their own. */
const ofOneNetwork = 1_000;

/** How many connections a network may have; undefined: any number, as behind a proxy, which has all of them. */
export const connectionsPerNetwork = ({
  TRUST_PROXY: proxies,
}: {
  readonly TRUST_PROXY: number;
}): number | undefined => (proxies > 0 ? undefined : ofOneNetwork);
