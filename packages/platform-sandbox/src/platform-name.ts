export const platformNames = ['meta', 'google'] as const;
export type PlatformName = (typeof platformNames)[number];
