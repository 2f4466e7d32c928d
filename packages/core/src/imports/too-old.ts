import { eventAgeMaxMs, type PlatformName } from '@leadback/domain';

/** How many rows each platform of the account will skip, because they occurred too long ago. */
export type TooOld = Readonly<Partial<Record<PlatformName, number>>>;

/** Which platforms will skip a conversion for its age, as the worker will judge. */
export const tooOldFor = (occurredAt: string, at: Date, platforms: readonly PlatformName[]): PlatformName[] => {
  const ageMs = at.getTime() - Date.parse(occurredAt);
  return platforms.filter((platform) => ageMs > eventAgeMaxMs(platform));
};

/** Counts how many rows each of the platforms will skip, on top of earlier counts. */
export const countTooOld = (
  counts: TooOld,
  platforms: readonly PlatformName[],
  rows: readonly { readonly tooOldFor?: readonly PlatformName[] | undefined }[],
): TooOld => {
  const sums: Partial<Record<PlatformName, number>> = { ...counts };
  for (const platform of platforms) {
    const tooOld = rows.filter((row) => row.tooOldFor?.includes(platform)).length;
    sums[platform] = (sums[platform] ?? 0) + tooOld;
  }
  return sums;
};
