import type { RequestHandler } from 'express';
import type { LandingContext } from './context.ts';

/** `GET /media/{name}`: an image of a page. It never changes, so that nobody has to ask twice. */
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
