import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type Precompressed, precompressed } from '@leadback/http';

export interface WebFile {
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
