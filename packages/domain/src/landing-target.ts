import { z } from 'zod';
import { queryParameterNames } from './lead.ts';

// browsers accept more characters in a host, some of which have a meaning in headers
const hostShape = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

const isLocal = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/**
 * An absolute https URL (http only for localhost) without user name or password. Returns it as the URL standard
 * serializes it.
 */
export const webAddressSchema = z
  .url({ error: 'expected an absolute URL such as https://shop.example/offer' })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)), 'must start with https://')
  .refine(
    ({ protocol, hostname }) => !protocol.startsWith('http') || hostShape.test(hostname),
    'the host name has invalid characters',
  )
  .refine((url) => url.username === '' && url.password === '', 'must not contain a user name or password')
  .transform(String);

const originsMax = 20;
const expectedOrigin = 'expected an origin without a path, such as https://shop.example';

/** Whose pages may report visits: exact origins, as browsers write them. `www.` is another one. */
export const originsSchema = z
  .array(
    webAddressSchema.transform((address, context) => {
      const { origin, href } = new URL(address);
      if (href === `${origin}/`) return origin;
      context.addIssue(expectedOrigin);
      return z.NEVER;
    }),
  )
  .max(originsMax, `more than ${originsMax} origins`)
  .transform((origins) => [...new Set(origins)]);

/** What a placeholder in a target page may name: the lead reference, or a known parameter of the click. */
const placeholderNames: readonly string[] = ['lead', ...queryParameterNames];
const placeholder = /\{([^{}]*)\}/;
const placeholders = /\{([^{}]*)\}/g;

/** A piece of a target page: text, or the name of the value that replaces it. */
export type TargetPiece = { readonly text: string } | { readonly name: string };

/** A text in pieces: `?click={lead}` has two. Of placeholders with unknown names, the text stays. */
export const targetPieces = (text: string): TargetPiece[] =>
  text.split(placeholder).map((piece, index) => {
    if (index % 2 === 0) return { text: piece };
    return placeholderNames.includes(piece) ? { name: piece } : { text: `{${piece}}` };
  });

const named = (text: string): string[] => [...text.matchAll(placeholders)].map(([, name = '']) => name);

/** The URL of the target page. Its query and fragment may have placeholders: `{lead}` and the names of known parameters. */
export const landingTargetSchema = webAddressSchema
  .refine(
    (address) => !new URL(address).searchParams.has('serviceId'),
    'must not contain serviceId: Leadback adds it for each visitor',
  )
  .refine(
    (address) => !/%7b.*%7d/i.test(new URL(address).pathname),
    'a placeholder such as {lead} belongs behind the question mark: nothing of a click decides the page',
  )
  .refine(
    (address) => named(address).every((name) => placeholderNames.includes(name)),
    `has an unknown placeholder: there are ${placeholderNames.map((name) => `{${name}}`).join(' ')}`,
  );

const parameterName = /^[A-Za-z0-9_.~-]{1,64}$/;
const passedMax = 20;
const expectedNames = `expected none, known, or at most ${passedMax} names of parameters with commas between them, such as coupon,product`;

/**
 * Which parameters of a click the target page gets besides `serviceId`. `known`: click ids and `utm_*`. `none`: no others. Names with
 * commas between them: these besides the known ones.
 */
export const passedParametersSchema = z
  .string(expectedNames)
  .transform((typed) => [
    ...new Set(
      typed
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ])
  .refine(
    (names) => names.length > 0 && names.length <= passedMax && names.every((name) => parameterName.test(name)),
    expectedNames,
  )
  .refine((names) => !names.includes('serviceId'), 'must not contain serviceId: Leadback adds it for each visitor')
  .refine((names) => !names.includes('none') || names.length === 1, 'none stands alone')
  .transform((names) => (names.length > 1 ? names.filter((name) => name !== 'known') : names).join(','));

/** The names that a page passes on. */
export const passedNames = (passedParameters: string): readonly string[] => {
  if (passedParameters === 'none') return [];
  const more = passedParameters === 'known' ? [] : passedParameters.split(',');
  return [...new Set([...queryParameterNames, ...more])];
};
