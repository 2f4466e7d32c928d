import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { createHash, randomUUID } from 'node:crypto';
import { LandingPage, type Database } from '@leadback/db';
import {
  askedFields,
  type ClickParameters,
  consentScopes,
  isQueryParameter,
  landingPageModes,
  languages,
  passedNames,
  type TargetPiece,
  targetPieces,
} from '@leadback/domain';
import { z } from 'zod';
import {
  contentSecurityPolicy,
  escapeHtml,
  imageSources,
  pageParts,
  renderLandingPage,
  type Shown,
} from '@leadback/core/pages/render/page';
import { type ConsentRequest, type Keys, pageOfPreviewCode } from '@leadback/domain/keys';
import encodeUrl from 'encodeurl';

const imageSchema = z.object({
  src: z.string(),
  alt: z.string(),
  width: z.number().optional(),
  height: z.number().optional(),
});

const optionalText = z.string().nullable();

/** What this app keeps of a page, in memory and on disk: what visitors see, and nothing about the account but its id. */
export const servedPageSchema = z.object({
  id: z.int(),
  accountId: z.int(),
  slug: z.string(),
  // that of an older version is the same
  ownSlug: optionalText.default(null),
  // an older version saved none
  formerSlugs: z.array(z.string()).readonly().default([]),
  /** On the domains of its account. */
  formerOwnSlugs: z.array(z.string()).readonly().default([]),
  mode: z.enum(landingPageModes),
  targetUrl: z.url(),
  title: optionalText,
  text: optionalText,
  buttonLabel: optionalText,
  askedFields: z.array(z.enum(askedFields)).readonly(),
  consentText: optionalText,
  consentScope: z.enum(consentScopes),
  privacyUrl: optionalText,
  // pages that an older version has saved
  passedParameters: z.string().default('known'),
  origins: z.array(z.string()).readonly().default([]),
  language: z.enum(languages),
  accentColor: optionalText,
  logo: imageSchema.nullable(),
  hero: imageSchema.nullable(),
  changedAtMs: z.number(),
});

export type ServedPage = Readonly<z.infer<typeof servedPageSchema>>;

type FormerSlugs = Partial<Pick<ServedPage, 'formerSlugs' | 'formerOwnSlugs'>>;

export const servedPage = (
  page: LandingPage,
  { formerSlugs = [], formerOwnSlugs = [] }: FormerSlugs = {},
): ServedPage => ({
  id: page.id,
  accountId: page.account.id,
  slug: page.slug,
  ownSlug: page.ownSlug ?? null,
  formerSlugs,
  formerOwnSlugs,
  mode: page.mode,
  targetUrl: page.targetUrl,
  title: page.title ?? null,
  text: page.text ?? null,
  buttonLabel: page.buttonLabel ?? null,
  askedFields: page.askedFields,
  consentText: page.consentText ?? null,
  consentScope: page.consentScope,
  privacyUrl: page.privacyUrl ?? null,
  passedParameters: page.passedParameters,
  origins: page.origins,
  language: page.language,
  accentColor: page.accentColor ?? null,
  logo: page.logo ?? null,
  hero: page.hero ?? null,
  changedAtMs: page.changedAt.getTime(),
});

/** A text to send, plain or compressed. */
export interface SendableText {
  plain(): string;
  gzipped(): Buffer;
}

/** A text that is compressed when it is sent. */
export const wholeText = (text: string): SendableText => ({ plain: () => text, gzipped: () => gzipSync(text) });

// RFC 1952: magic, deflate, no flags, no time, unspecified compression level, unspecified system
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const trailerBytes = 8;
const storedMax = 0xffff;
const storedHeaderBytes = 5;

/** Writes the header of an uncompressed block (RFC 1951, 3.2.4). It begins on a byte boundary. */
const writeStoredHeader = (target: Buffer, at: number, bytes: number): void => {
  if (bytes > storedMax) throw new RangeError(`expected at most ${storedMax} bytes`);
  target.writeUInt8(0, at);
  target.writeUInt16LE(bytes, at + 1);
  target.writeUInt16LE(~bytes & storedMax, at + 3);
};

/** A piece of a text and the bytes that represent it in the compressed text. */
interface Piece {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

const compressPiece = (text: string, isLast: boolean): Piece => {
  const plain = Buffer.from(text);
  // a full flush ends on a byte boundary, and later data does not refer to earlier data
  const flush = isLast ? {} : { finishFlush: constants.Z_FULL_FLUSH };
  return { plain, compressed: deflateRawSync(plain, { level: 9, ...flush }) };
};

/**
 * A text with a slot between `before` and `after`, which are compressed once. The slot is inserted uncompressed, so that
 * sending costs only a checksum of the text after `before`. The slot holds at most 65,535 bytes.
 */
export const gzipTemplate = (before: string, after: string): ((slot: string) => SendableText) => {
  const [first, last] = [compressPiece(before, false), compressPiece(after, true)];
  const start = Buffer.concat([header, first.compressed]);
  const firstChecksum = crc32(first.plain);

  const fill = (slot: string): Buffer => {
    const slotBytes = Buffer.byteLength(slot);
    const slotAt = start.length + storedHeaderBytes;
    const end = slotAt + slotBytes + last.compressed.length;
    const target = Buffer.allocUnsafe(end + trailerBytes);
    start.copy(target);
    writeStoredHeader(target, start.length, slotBytes);
    target.write(slot, slotAt);
    last.compressed.copy(target, slotAt + slotBytes);
    target.writeUInt32LE(crc32(last.plain, crc32(slot, firstChecksum)), end);
    target.writeUInt32LE(first.plain.length + slotBytes + last.plain.length, end + 4);
    return target;
  };
  return (slot) => ({ plain: () => before + slot + after, gzipped: () => fill(slot) });
};

/** What a target page gets of a visit. */
export interface HandedOn {
  /** Of the lead, if there is one. */
  readonly reference?: string | undefined;
  /** What the request had of the click. */
  readonly sent: ClickParameters;
  /** Any other parameter of the request. */
  readonly otherOf: (name: string) => string | undefined;
}

const nothingHanded: HandedOn = { sent: {}, otherOf: () => undefined };

type TargetPage = Pick<ServedPage, 'targetUrl' | 'passedParameters'>;

// the URL standard leaves characters such as `{` and a single `%` as they are; not all proxies accept them in a header
const encoded = (text: string) =>
  targetPieces(text).map((piece) => ('text' in piece ? { text: encodeUrl(piece.text) } : piece));

/** Fills the URL of a target page, of which nothing but the query and the fragment depends on the visit. */
const targetOf = ({ targetUrl, passedParameters }: TargetPage): BuiltPage['targetUrl'] => {
  const { origin, pathname, search, searchParams, hash } = new URL(targetUrl);
  const [before, after] = [encoded(origin + pathname + search), encoded(hash)];
  const passed = passedNames(passedParameters).filter((name) => !searchParams.has(name));
  const [known, others] = [passed.filter(isQueryParameter), passed.filter((name) => !isQueryParameter(name))];
  const first = search === '' ? '?' : '&';
  return ({ reference, sent, otherOf } = nothingHanded) => {
    const valueOf = (name: string) => {
      if (name === 'lead') return reference;
      return isQueryParameter(name) ? sent[name] : otherOf(name);
    };
    const filled = (text: string, piece: TargetPiece) =>
      text + ('text' in piece ? piece.text : encodeURIComponent(valueOf(piece.name) ?? ''));
    let query = '';
    const pass = (name: string, value: string | undefined) => {
      if (value !== undefined) query += `&${name}=${encodeURIComponent(value)}`;
    };
    for (const name of known) pass(name, sent[name]);
    for (const name of others) pass(name, otherOf(name));
    if (reference !== undefined) query += `&serviceId=${reference}`;
    return before.reduce(filled, '') + (query === '' ? '' : first + query.slice(1)) + after.reduce(filled, '');
  };
};

/** A landing page that is rendered and compressed once, and sent many times. */
export interface BuiltPage {
  readonly page: ServedPage;
  /** The domain of its account at which it was asked for; undefined: the host of the installation. */
  readonly domain?: string;
  readonly contentSecurityPolicy: string;
  readonly consentRequest: ConsentRequest;
  /** The URL of the target page, percent-encoded for a header, with what it gets of the visit. */
  targetUrl(handed?: HandedOn): string;
  /** The page on a first visit. Cheap. */
  show(first: Pick<Shown, 'token' | 'signature' | 'referrer'>): SendableText;
  /** The page as a preview, or with the values that a visitor has to correct. Rendered on each call. */
  showAgain(shown: Shown): SendableText;
  /** The page for crawlers and link previews, the same for each of them. */
  readonly forBots: { readonly html: string; readonly etag: string };
}

export const buildPage = (page: ServedPage): BuiltPage => {
  const parts = pageParts(page);
  // rendered with random placeholders, and split there
  const [token, signature, referrer] = [randomUUID(), randomUUID(), randomUUID()];
  const rendered = renderLandingPage(page, parts, { token, signature, referrer });
  const pieces = rendered.split(new RegExp(`${token}|${signature}|${referrer}`));
  if (pieces.length !== 4) throw new Error('expected token, signature and referrer in the template, each once');
  const [before = '', afterToken = '', afterSignature = '', after = ''] = pieces;
  const fill = gzipTemplate(before, after);
  const html = before + afterToken + afterSignature + after;
  return {
    page,
    contentSecurityPolicy: contentSecurityPolicy(parts.style, imageSources(page)),
    consentRequest: parts.consentRequest,
    targetUrl: targetOf(page),
    show: (first) => fill(first.token + afterToken + first.signature + afterSignature + escapeHtml(first.referrer)),
    showAgain: (shown) => wholeText(renderLandingPage(page, parts, shown)),
    forBots: { html, etag: `"${createHash('sha256').update(html).digest('base64url')}"` },
  };
};

/** The page of a preview code, whether the page is on or off, unless it is hidden. */
export const findPreview = async (database: Database, keys: Keys, code: string): Promise<BuiltPage | undefined> => {
  const id = pageOfPreviewCode(keys, code);
  const page =
    id === undefined ? null : await database.em().findOne(LandingPage, { id, isHidden: false, deletedAt: null });
  return page ? buildPage(servedPage(page)) : undefined;
};
