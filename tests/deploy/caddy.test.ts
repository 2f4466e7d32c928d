import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importBytesMax } from '@leadback/domain';
import { expect, it } from 'vitest';
import { root } from '../support/code-blocks.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
// whether Caddy takes it, and gets certificates, is seen by `npm run test:long -- server`
const sites = Array.from(
  read('deploy/caddy/Caddyfile').matchAll(/^\{\$(\w+)\} \{\n[^]*?max_size (\d+)MiB[^]*?reverse_proxy (\S+)\n\}$/gm),
  ([, url, size, upstream]) => ({ url, bytes: Number(size) * 1024 ** 2, upstream }),
);

it('Caddy leads each public URL of server.yml to the port of its app, with a body limit above that of the app', () => {
  const ports = Array.from(
    read('Dockerfile').matchAll(/^FROM app AS (\S+)\n(?:#.*\n)?ENV PORT=(\d+)/gm),
    ([, app, port]) => `${app}:${port}`,
  );
  expect(sites.map(({ url, upstream }) => [url, upstream])).toEqual([
    ['LANDING_URL', 'landing:3000'],
    ['API_URL', 'api:3001'],
    ['CONSOLE_URL', 'console:3004'],
  ]);
  expect(sites.filter(({ upstream = '' }) => !ports.includes(upstream))).toEqual([]);
  for (const { url, bytes } of sites) expect(bytes).toBeGreaterThan(url === 'LANDING_URL' ? 64 * 1024 : importBytesMax);
  for (const { url } of sites) expect(read('deploy/compose/server.yml')).toContain(`${url}: \${${url}:?`);
});

it('Caddy keeps idle connections for less time than the apps, waits as long as a file of sales takes, and keeps no log of visitors', () => {
  const file = read('deploy/caddy/Caddyfile');
  const [idle] = /idle (\d+)s/.exec(file)?.slice(1) ?? [];
  const [appsKeepMs] = /keepAliveTimeout\D+([\d_]+)/.exec(read('packages/server/src/http/serve.ts'))?.slice(1) ?? [];
  expect(Number(idle) * 1_000).toBeLessThan(Number(appsKeepMs?.replaceAll('_', '')));
  expect(file).toContain('read_body 15m');
  const afterOptions = file.slice(file.indexOf('\n}\n'));
  expect(afterOptions).not.toMatch(/^\s*log\b/m);
  // and errors without the request that they are about
  expect(file).toContain('request delete');
});
