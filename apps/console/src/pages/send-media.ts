import type { RequestHandler } from 'express';
import type { Pages } from './pages.ts';

/**
 * `GET /media/{name}`: an uploaded image, for previews and lists, as the landing app sends it to visitors. Previews have
 * no origin of their own, so that it comes without a session.
 */
export const sendMedia =
  ({ findImage }: Pick<Pages, 'findImage'>): RequestHandler<{ name: string }> =>
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
