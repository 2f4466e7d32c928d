import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';

/** `GET /media/{name}`: an uploaded image. It never changes, so browsers may cache it forever. */
export const sendImage =
  ({ findImage }: Pick<LandingContext, 'findImage'>): RequestHandler<{ name: string }> =>
  async (request, response, next) => {
    const image = await findImage(request.params.name);
    if (!image) return next();
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ETag: `"${image.name}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.type(image.mediaType).send(image.bytes);
  };
