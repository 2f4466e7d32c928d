import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type Precompressed, precompressed, servePrecompressed } from '@leadback/server/http';
import express, { type RequestHandler, type Router } from 'express';

interface WebFile {
  readonly type: string;
  readonly content: Precompressed;
}

export interface WebFiles {
  /** The page of all screens. */
  readonly index: WebFile;
  /** By path, such as `/assets/main-4f2a.js`. */
  readonly others: ReadonlyMap<string, WebFile>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const readWebFile = (path: string): WebFile | undefined => {
  const type = types[extname(path)];
  return type === undefined ? undefined : { type, content: precompressed(readFileSync(path)) };
};

/** Reads and compresses the built web part once; undefined if it was not built. Files of unknown types are not served. */
export const readWebFiles = (folder: string): WebFiles | undefined => {
  const indexPath = join(folder, 'index.html');
  const index = existsSync(indexPath) ? readWebFile(indexPath) : undefined;
  if (!index) return undefined;
  const others = new Map<string, WebFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const file = entry.isFile() && path !== indexPath ? readWebFile(path) : undefined;
    if (file) others.set(`/${relative(folder, path).split(sep).join('/')}`, file);
  }
  return { index, others };
};

const forever = 'public, max-age=31536000, immutable';
const checkEachTime = 'no-cache';

const notBuilt = `<!doctype html>
<html lang="en">
<title>Leadback console</title>
<h1>The web part of the console is not built</h1>
<p>The server is running. Build the web part with <code>npm run check -- build:web</code>, then restart the console.
`;

const serving = ({ type, content }: WebFile, cacheControl: string): RequestHandler =>
  servePrecompressed(content, type, cacheControl);

/** Serves the web part: its files, and for every other path its page, which knows the screens. */
export const webRouter = (files: WebFiles | undefined): Router => {
  const router = express.Router({ strict: false, caseSensitive: true });
  if (!files) {
    router.get('/{*path}', (_request, response) => {
      response.status(503).type('html').send(notBuilt);
    });
    return router;
  }
  for (const [path, file] of files.others) {
    // the names of assets change with their content
    router.get(path, serving(file, path.startsWith('/assets/') ? forever : checkEachTime));
  }
  const index = serving(files.index, checkEachTime);
  router.get('/{*path}', (request, response, next) => {
    // an asset of another version: its page, in place of a script, would only confuse
    if (request.path.startsWith('/assets/')) return next();
    return index(request, response, next);
  });
  return router;
};

/** Where the web part is built to. */
export const builtWebFolder = join(import.meta.dirname, '../../dist-web');

// beside the bundle of an image
const ofBundle = join(import.meta.dirname, 'web');

export const webFolder = (): string => (existsSync(join(ofBundle, 'index.html')) ? ofBundle : builtWebFolder);
