export const platformNames = ['meta', 'google', 'tiktok'] as const;
export type PlatformName = (typeof platformNames)[number];
