import { z } from 'zod';

export const dockerHub = 'https://registry-1.docker.io';

const timeoutMs = 30_000;
// an image for several processors is an index: its digest pins all of them
const accept = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

const tokenSchema = z.union([
  z.object({ token: z.string() }).transform(({ token }) => token),
  z.object({ access_token: z.string() }).transform((body) => body.access_token),
]);

/** Where the manifest of `[host/]name:tag` is. Of Docker Hub's images, in `hub`. */
const manifestUrl = (image: string, hub: string): string => {
  const [, name = '', tag = ''] = /^(.+):([\w][\w.-]*)$/.exec(image) ?? [];
  if (name === '') throw new Error('it has no tag. Write the version that you want to pin');
  const [, host, path = ''] = /^(?:((?=[^/]*[.:])[^/]+|localhost)\/)?(.+)$/.exec(name) ?? [];
  if (host !== undefined && host !== 'docker.io') {
    const protocol = /^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? 'http' : 'https';
    return `${protocol}://${host}/v2/${path}/manifests/${tag}`;
  }
  return `${hub}/v2/${path.includes('/') ? path : `library/${path}`}/manifests/${tag}`;
};

const request = async (url: string | URL, options: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    throw new Error(
      `cannot reach ${new URL(url).host}: ${reason instanceof Error ? reason.message : String(reason)}. Run this where ` +
        'docker pull works, or name a mirror of Docker Hub: --registry URL',
      { cause: error },
    );
  }
};

/** A token for anonymous callers, from where the registry says. */
const anonymousToken = async (challenge: string): Promise<string | undefined> => {
  const { realm, service, scope } = Object.fromEntries(
    Array.from(challenge.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]),
  );
  if (!/^bearer /i.test(challenge) || realm === undefined) return undefined;
  const url = new URL(realm);
  for (const [name, value] of Object.entries({ service, scope })) if (value) url.searchParams.set(name, value);
  const response = await request(url, {});
  return response.ok ? tokenSchema.parse(await response.json()) : undefined;
};

const advice: Readonly<Record<number, string>> = {
  401: 'it needs an account. Pin it by hand, with the digest that docker buildx imagetools inspect prints',
  404: 'the registry does not have it. Check its name and tag',
  429: 'too many requests. Try again later, or name a mirror of Docker Hub: --registry URL',
};

/** The digest that a tag has now: `sha256:…`. Throws with what to do if the registry does not say it. */
export const digestOf = async (image: string, hub: string = dockerHub): Promise<string> => {
  const url = manifestUrl(image, hub);
  const ask = (headers: Record<string, string>) => request(url, { method: 'HEAD', headers: { accept, ...headers } });
  let response = await ask({});
  if (response.status === 401) {
    const token = await anonymousToken(response.headers.get('www-authenticate') ?? '');
    if (token !== undefined) response = await ask({ authorization: `Bearer ${token}` });
  }
  if (!response.ok)
    throw new Error(`${response.status} from ${new URL(url).host}: ${advice[response.status] ?? 'try again later'}`);
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`${new URL(url).host} sent no digest. Name another registry: --registry URL`);
  return digest;
};
