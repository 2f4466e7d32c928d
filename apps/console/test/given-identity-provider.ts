import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { givenServer } from '@leadback/testing';
import express from 'express';
import { z } from 'zod';
import type { ProviderOptions } from '../src/sessions/provider.ts';

const client = { clientId: 'leadback', clientSecret: 'a secret of the provider' };
const encode = (value: string | Buffer) => Buffer.from(value).toString('base64url');

const authorization = z.object({
  client_id: z.literal(client.clientId),
  response_type: z.literal('code'),
  redirect_uri: z.string(),
  scope: z.string(),
  state: z.string(),
  nonce: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.literal('S256'),
  max_age: z.literal(String(12 * 3600)),
});
type Authorization = z.output<typeof authorization>;

const exchange = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string(),
  client_secret: z.literal(client.clientSecret),
});

interface Signing {
  readonly alg?: string;
  readonly key?: KeyObject;
  readonly secret?: string;
}

export interface IdentityProvider extends AsyncDisposable {
  readonly options: ProviderOptions;
  /** Whom it vouches for from now on; claims of the id_token. */
  vouch(claims: Readonly<Record<string, unknown>>): void;
  /** How it signs id_tokens from now on. Default: as it announces, with its own key. */
  signWith(signing: Signing): void;
  /** It fails all requests from now on. */
  fail(): void;
}

/**
 * A small identity provider over real HTTP, where everybody is signed in already: `/authorize` sends the browser back at
 * once. It signs id_tokens and accepts a code once.
 */
export const givenIdentityProvider = async (): Promise<IdentityProvider> => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, Authorization>();
  let vouched: Readonly<Record<string, unknown>> = {};
  let signing: Signing = {};
  let isFailing = false;
  const app = express();
  app.use(express.urlencoded(), (_request, response, next) => (isFailing ? void response.sendStatus(500) : next()));
  const server = await givenServer(app);
  const issuer = server.url;

  const idTokenFor = ({ nonce }: Authorization) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: client.clientId,
      sub: 'person-1',
      iat: now,
      exp: now + 60,
      auth_time: now,
      nonce,
      ...vouched,
    };
    const header = { alg: signing.alg ?? 'RS256', kid: '1' };
    const signed = [header, claims].map((part) => encode(JSON.stringify(part))).join('.');
    if (header.alg === 'none') return `${signed}.`;
    const bySecret = () =>
      createHmac('sha256', signing.secret ?? '')
        .update(signed)
        .digest();
    const bytes = header.alg === 'HS256' ? bySecret() : sign('sha256', Buffer.from(signed), signing.key ?? privateKey);
    return `${signed}.${encode(bytes)}`;
  };

  app.get('/.well-known/openid-configuration', (_request, response) => {
    response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    });
  });
  app.get('/keys', (_request, response) => {
    response.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }] });
  });
  app.get('/authorize', (request, response) => {
    const asked = authorization.parse(request.query);
    const code = randomBytes(16).toString('hex');
    codes.set(code, asked);
    response.redirect(`${asked.redirect_uri}?${new URLSearchParams({ code, state: asked.state }).toString()}`);
  });
  app.post('/token', (request, response) => {
    const sent = exchange.parse(request.body);
    const asked = codes.get(sent.code);
    codes.delete(sent.code);
    const challenge = encode(createHash('sha256').update(sent.code_verifier).digest());
    if (asked?.code_challenge !== challenge || asked.redirect_uri !== sent.redirect_uri) {
      return void response.status(400).json({ error: 'invalid_grant' });
    }
    return void response.json({ access_token: 'x', token_type: 'Bearer', id_token: idTokenFor(asked) });
  });

  return {
    options: { ...client, issuer, name: 'Acme ID' },
    vouch: (claims) => {
      vouched = claims;
    },
    signWith: (given) => {
      signing = given;
    },
    fail: () => {
      isFailing = true;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
