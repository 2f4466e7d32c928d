import { scripts } from '@leadback/core/pages/script';
import { precompressed, servePrecompressed } from '@leadback/server/http';
import type { RequestHandler } from 'express';
import type { LandingContext } from '../context.ts';

const serve = (text: string, cacheControl: string): RequestHandler =>
  servePrecompressed(precompressed(text), 'text/javascript; charset=utf-8', cacheControl);

// `integrity` needs the right to read it, and a page that isolates itself loads nothing else
const forAnySite = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/**
 * `GET /leadback.js`: the newest script for the advertiser's pages. `/leadback-{version}.js`: one that never changes. `/{slug}.js`:
 * the newest, under a name that no list of trackers knows.
 */
export const sendScript = ({ pages }: Pick<LandingContext, 'pages'>): RequestHandler<{ name: string }> => {
  const newest = serve(scripts[0].text, 'public, max-age=3600');
  const versions = new Map(
    scripts.map(({ version, text }) => [`leadback-${version}`, serve(text, 'public, max-age=31536000, immutable')]),
  );
  return async (request, response, next) => {
    const { name } = request.params;
    const isNewest =
      name === 'leadback' ||
      (!versions.has(name) && (await pages.find(name, request.headers.host))?.page.mode === 'script');
    const send = isNewest ? newest : versions.get(name);
    if (!send) return next();
    response.set(forAnySite);
    return send(request, response, next);
  };
};
