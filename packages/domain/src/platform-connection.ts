export const platformNames = ['meta', 'google', 'tiktok'] as const;
export type PlatformName = (typeof platformNames)[number];

/** `needs_attention`: the platform refused the credentials; feedback waits until an operator mends and resumes it. */
export const connectionStates = ['active', 'paused', 'needs_attention'] as const;
export type ConnectionState = (typeof connectionStates)[number];
