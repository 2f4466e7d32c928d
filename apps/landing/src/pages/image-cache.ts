import { type Database, LandingImage } from '@leadback/db';
import { isImageName } from '@leadback/domain';
import { LRUCache } from 'lru-cache';
import { batchedLookup } from './batched-lookup.ts';

export type FindImage = (name: string) => Promise<LandingImage | undefined>;

const bytesMax = 64 * 1024 * 1024;

/** Finds an uploaded image. Images never change, so those in use stay in memory, up to 64 MiB. */
export const imageCache = (database: Database): FindImage => {
  const images = new LRUCache<string, LandingImage>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const lookUp = batchedLookup(async (names) => {
    const found = await database.em().find(LandingImage, { name: { $in: [...names] } });
    for (const image of found) images.set(image.name, image);
    return names.map((name) => images.get(name) ?? null);
  });
  return async (name) => images.get(name) ?? (isImageName(name) ? ((await lookUp(name)) ?? undefined) : undefined);
};
