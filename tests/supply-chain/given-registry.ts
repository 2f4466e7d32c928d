import { givenServer } from '@leadback/test-fixtures';

interface RegistryOptions {
  /** Digests by `<path>:<tag>`. */
  readonly images: ReadonlyMap<string, string>;
  /** Anonymous callers need a token, as at Docker Hub. */
  readonly withTokens?: boolean;
}

/** The part of a registry that names digests. `requests` has what it was asked for, without what was refused. */
export const givenRegistry = async ({ images, withTokens = true }: RegistryOptions) => {
  const requests: string[] = [];
  const server = await givenServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (url.pathname === '/token') {
      const token = `${url.searchParams.get('service')} ${url.searchParams.get('scope')}`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token }));
      return;
    }
    const [, path = '', tag = ''] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(url.pathname) ?? [];
    const scope = `repository:${path}:pull`;
    if (withTokens && request.headers.authorization !== `Bearer test ${scope}`) {
      const challenge = `Bearer realm="${url.origin}/token",service="test",scope="${scope}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    requests.push(`${request.method} ${path}:${tag}`);
    const digest = images.get(`${path}:${tag}`);
    // a registry without the index of several processors in `accept` names the digest of one of them
    const isIndexAccepted = request.headers.accept?.includes('application/vnd.oci.image.index.v1+json') ?? false;
    if (digest === undefined || !isIndexAccepted) response.writeHead(404).end();
    else response.writeHead(200, { 'docker-content-digest': digest }).end();
  });
  return { url: server.url, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};
