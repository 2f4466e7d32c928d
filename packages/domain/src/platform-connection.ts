/**
 * Every platform, with the click ids that its ads add to the URL of a landing page. `docs/add-a-platform.md` says what
 * else a new platform needs.
 */
export const platformsWithClickIds = [
  { name: 'meta', clickIds: ['fbclid'] },
  { name: 'google', clickIds: ['gclid', 'gbraid', 'wbraid'] },
  { name: 'tiktok', clickIds: ['ttclid'] },
  { name: 'linkedin', clickIds: ['li_fat_id'] },
  { name: 'microsoft', clickIds: ['msclkid'] },
] as const;

export type PlatformName = (typeof platformsWithClickIds)[number]['name'];

const [first, ...others] = platformsWithClickIds;
// not one map: the type must say that there is at least one name
export const platformNames = [first.name, ...others.map(({ name }) => name)] as const;

/**
 * `needs_attention`: the platform rejected the credentials; deliveries wait until an operator fixes and resumes the
 * connection.
 */
export const connectionStates = ['active', 'paused', 'needs_attention'] as const;
export type ConnectionState = (typeof connectionStates)[number];
