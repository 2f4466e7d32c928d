import { createHash } from 'node:crypto';
import { newWebhookSecret } from '@leadback/domain/keys';
import { z } from 'zod';
import { readBody, textAt } from '../../body.ts';
import { defineKind, type Reading, type ReceivedRequest, type SigningSecrets, type Verdict } from '../../kind.ts';
import { isRecent, isSignedBy, secondsIn } from '../../signature.ts';
import { mapSchema, meaningOf } from './map.ts';
import { webhookTexts } from './texts.ts';

const headerName = 'expected the name of a header, such as X-Signature';
const encodings = ['hex', 'base64'] as const;
const algorithms = ['sha256', 'sha1', 'sha512'] as const;

const onlyWith = { name: 'signature', value: 'hmac' };

const settingsSchema = z.object({
  signature: z
    .enum(['standard', 'hmac'], 'expected standard or hmac')
    .default('standard')
    .meta({ help: 'standard (default): Standard Webhooks; hmac: an HMAC of the body in a header', value: 'kind' }),
  header: z
    .string(headerName)
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9-]{1,64}$/, headerName)
    .optional()
    .meta({ help: 'with hmac: the header of the signature', value: 'name', onlyWith }),
  prefix: z
    .string()
    .max(32)
    .optional()
    .meta({ help: 'with hmac: what stands before the signature, such as sha256=', value: 'text', onlyWith }),
  encoding: z
    .enum(encodings, 'expected hex or base64')
    .optional()
    .meta({ help: 'with hmac: hex (default) or base64', value: 'kind', onlyWith }),
  algorithm: z
    .enum(algorithms, 'expected sha256, sha1 or sha512')
    .optional()
    .meta({ help: 'with hmac: sha256 (default), sha1 or sha512', value: 'name', onlyWith }),
  map: mapSchema.optional().meta({
    help: 'JSON: where a message has what a sale needs, by our names; without it, our names are looked for',
    value: 'file.json',
    isFile: true,
  }),
});

type Settings = z.output<typeof settingsSchema>;

/** `whsec_` and base64, or the text itself. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);

/** Standard Webhooks; Svix, which they come from, has its own names. */
const standardHeader = ({ headers }: ReceivedRequest, name: string): string | undefined =>
  headers[`webhook-${name}`] ?? headers[`svix-${name}`];

const verifyStandard = (request: ReceivedRequest, signing: SigningSecrets, nowMs: number): Verdict => {
  const [id, time] = [standardHeader(request, 'id'), standardHeader(request, 'timestamp')];
  if (id === undefined || time === undefined || !isRecent(secondsIn(time), nowMs)) return 'wrong-signature';
  const content = [`${id}.${time}.`, request.body];
  // several, while the sender changes its secret
  const signatures = (standardHeader(request, 'signature') ?? '').split(' ').slice(0, 10);
  const keys = signing.map(standardKey);
  const isSigned = signatures.some(
    (one) => one.startsWith('v1,') && isSignedBy(keys, one.slice(3), { encoding: 'base64', content }),
  );
  return isSigned ? 'genuine' : 'wrong-signature';
};

const verifyHmac = (settings: Settings, request: ReceivedRequest, signing: SigningSecrets): Verdict => {
  const { header = '', prefix = '', encoding = 'hex', algorithm = 'sha256' } = settings;
  const sent = request.headers[header]?.trim();
  if (sent?.startsWith(prefix) !== true) return 'wrong-signature';
  const signed = { encoding, algorithm, content: [request.body] };
  return isSignedBy(signing, sent.slice(prefix.length), signed) ? 'genuine' : 'wrong-signature';
};

/** Each element of a list is a message of its own. */
const partsOf = (request: ReceivedRequest): readonly ReceivedRequest[] => {
  try {
    const sent = readBody(request);
    if (!Array.isArray(sent)) return [request];
    const headers = { ...request.headers, 'content-type': 'application/json' };
    return sent.map((element: unknown, part) => ({
      ...request,
      headers,
      body: Buffer.from(JSON.stringify(element)),
      part,
    }));
  } catch {
    // not JSON, or nested too deeply to be written again
    return [request];
  }
};

const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url');

/** Messages of a service of the advertiser's choice, which are signed. */
export const webhook = defineKind({
  name: 'webhook',
  title: 'Webhook',
  texts: webhookTexts,
  settings: settingsSchema.refine(({ signature, header }) => signature !== 'hmac' || header !== undefined, {
    path: ['header'],
    message: 'hmac needs the header of the signature',
  }),
  secrets: z.object({
    secret: z.string('expected the secret with which messages are signed').trim().min(1, 'must not be empty').meta({
      help: 'with which messages are signed; without it, one is made',
      value: 'secret',
      isSecret: true,
    }),
  }),
  newSecret: newWebhookSecret,
  methods: ['POST'],
  headers: ['webhook-id', 'svix-id'],
  open: (settings, _secrets, signing) => ({
    verify: (request, nowMs) =>
      settings.signature === 'standard'
        ? verifyStandard(request, signing, nowMs)
        : verifyHmac(settings, request, signing),
    parts: partsOf,
    read(request): Reading {
      const message = readBody(request);
      // an HMAC covers the body alone: the header of another service may name what it likes
      const signedId = settings.signature === 'standard' ? standardHeader(request, 'id') : undefined;
      const id = signedId ?? digestOf(request.body);
      const event = textAt(message, 'type') ?? textAt(message, 'event') ?? 'message';
      return {
        event: event.slice(0, 100),
        key: request.part === undefined ? id : `${id} ${request.part}`,
        means: meaningOf(message, settings.map),
        searched: message,
      };
    },
  }),
});
