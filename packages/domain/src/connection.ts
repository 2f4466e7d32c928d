/**
 * Every platform, with the click ids that its ads add to the URL of a landing page, the other keys by which it matches
 * events (see delivery.ts), and the age in days up to which it accepts them. `docs/add-a-platform.md` says what else a
 * new platform needs.
 */
export const supportedPlatforms = [
  {
    name: 'meta',
    clickIds: ['fbclid'],
    otherKeys: ['email', 'phone', 'externalId', 'ipAndUserAgent', 'fbp'],
    eventDaysMax: 7,
  },
  { name: 'google', clickIds: ['gclid', 'gbraid', 'wbraid'], otherKeys: ['email', 'phone'], eventDaysMax: 90 },
  {
    name: 'tiktok',
    clickIds: ['ttclid'],
    otherKeys: ['email', 'phone', 'externalId', 'ipAndUserAgent', 'ttp'],
    eventDaysMax: 7,
  },
  { name: 'linkedin', clickIds: ['li_fat_id'], otherKeys: ['email'], eventDaysMax: 90 },
  { name: 'microsoft', clickIds: ['msclkid'], otherKeys: ['email', 'phone'], eventDaysMax: 90 },
] as const;

export type PlatformName = (typeof supportedPlatforms)[number]['name'];

const [first, ...others] = supportedPlatforms;
// not one map: the type must say that there is at least one name
export const platformNames = [first.name, ...others.map(({ name }) => name)] as const;

/**
 * `needs_attention`: the platform rejected the credentials; deliveries wait until an operator fixes and resumes the
 * connection.
 */
export const connectionStates = ['active', 'paused', 'needs_attention'] as const;
export type ConnectionState = (typeof connectionStates)[number];

/** The `platform` of a connection that is a partner's webhook, which is no advertising platform. */
export const webhookName = 'webhook';

/** Where deliveries go: advertising platforms, and partners' webhooks. */
export type DestinationName = PlatformName | typeof webhookName;

export const destinationNames: readonly DestinationName[] = [...platformNames, webhookName];
