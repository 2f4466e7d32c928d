import { type Database, group, isDatabaseUnavailable, LandingImage } from '@leadback/db';
import { isImageName } from '@leadback/domain';
import { LRUCache } from 'lru-cache';

export type FindImage = (name: string) => Promise<LandingImage | undefined>;

const bytesMax = 64 * 1024 * 1024;

/**
 * Finds an image that an operator has uploaded. Images never change, so those in use stay in memory. Names are looked up
 * together, so that a flood of them that nobody gave leaves the database to others.
 */
export const imageShelf = (database: Database): FindImage => {
  const images = new LRUCache<string, LandingImage>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const lookUp = group(
    async (names: readonly string[]) => {
      for (const image of await database.em().find(LandingImage, { name: { $in: [...names] } })) {
        images.set(image.name, image);
      }
      return names.map((name) => images.get(name) ?? null);
    },
    { itemsMax: 100, runsMax: 1, blame: (error) => (isDatabaseUnavailable(error) ? 'all' : 'batch') },
  );
  return async (name) => images.get(name) ?? (isImageName(name) ? ((await lookUp(name)) ?? undefined) : undefined);
};
