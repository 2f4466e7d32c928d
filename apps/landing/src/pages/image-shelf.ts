import { type Database, LandingImage } from '@leadback/db';
import { LRUCache } from 'lru-cache';

export type FindImage = (name: string) => Promise<LandingImage | undefined>;

const bytesMax = 64 * 1024 * 1024;

/** Finds an image that an operator has uploaded. Images never change, so those in use stay in memory. */
export const imageShelf = (database: Database): FindImage => {
  const images = new LRUCache<string, LandingImage>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
    fetchMethod: async (name) => (await database.em().findOne(LandingImage, { name })) ?? undefined,
  });
  return (name) => images.fetch(name);
};
