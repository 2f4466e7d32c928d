import { type PlatformName, platformNames } from './platform-connection.ts';

/** The `platform` of a connection that is a partner's webhook, which is no advertising platform. */
export const webhookName = 'webhook';

/** Where deliveries go: advertising platforms, and partners' webhooks. */
export type DestinationName = PlatformName | typeof webhookName;

export const destinationNames: readonly DestinationName[] = [...platformNames, webhookName];
