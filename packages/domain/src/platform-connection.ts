export const platformNames = ['meta', 'google', 'tiktok'] as const;
export type PlatformName = (typeof platformNames)[number];

/**
 * `needs_attention`: the platform rejected the credentials; deliveries wait until an operator fixes and resumes the
 * connection.
 */
export const connectionStates = ['active', 'paused', 'needs_attention'] as const;
export type ConnectionState = (typeof connectionStates)[number];
