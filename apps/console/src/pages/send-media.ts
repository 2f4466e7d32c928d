import { type Database, LandingImage } from '@leadback/db';
import { isImageName } from '@leadback/domain';
import { batch } from '@leadback/db/batch';
import type { RequestHandler } from 'express';

export type FindImage = (name: string) => Promise<LandingImage | undefined>;

const keptUsually = 32 * 1024 * 1024;

/**
 * Finds an uploaded image, of any account: the names of images cannot be guessed, and visitors see them. Images never change.
 * Those found last stay in memory, up to 32 MiB, and lookups are batched: anybody may ask, and a flood uses one connection.
 */
export const imageFinder = (em: Database['em'], keptBytesMax = keptUsually): FindImage => {
  const kept = new Map<string, LandingImage>();
  let keptBytes = 0;
  const keep = (image: LandingImage): void => {
    kept.set(image.name, image);
    keptBytes += image.bytes.length;
    for (const [name, { bytes }] of kept) {
      if (keptBytes <= keptBytesMax) return;
      kept.delete(name);
      keptBytes -= bytes.length;
    }
  };
  const lookUp = batch(
    async (names: readonly string[]) => {
      const found = await em().find(LandingImage, { name: { $in: [...new Set(names)] } });
      const images = new Map(found.map((image) => [image.name, kept.get(image.name) ?? image]));
      for (const image of found) if (!kept.has(image.name)) keep(image);
      return names.map((name) => images.get(name) ?? null);
    },
    { itemsMax: 50, runsMax: 1 },
  );
  return async (name) => kept.get(name) ?? (isImageName(name) ? ((await lookUp(name)) ?? undefined) : undefined);
};

/**
 * `GET /media/{name}`: an uploaded image, for previews and lists, as the landing app sends it to visitors. Previews have
 * no origin of their own, so that it comes without a session.
 */
export const sendMedia =
  (findImage: FindImage): RequestHandler<{ name: string }> =>
  async (request, response, next) => {
    const image = await findImage(request.params.name);
    if (!image) return next();
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: `"${image.name}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.type(image.mediaType).send(image.bytes);
  };
