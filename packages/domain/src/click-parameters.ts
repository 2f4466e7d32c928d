import { isUtf8 } from 'node:buffer';
import {
  type ClickIdName,
  clickIdNames,
  type cookieParameterNames,
  type ClickParameterName,
  type ClickParameters,
  queryParameterNames,
  type UnusableClicks,
  type UnusableReason,
} from './lead.ts';

const printableAscii = /^[ -~]+$/;
const controlCharacter = /\p{Cc}/u;
const controlCharacters = /\p{Cc}/gu;
const charactersMax = 512;

/**
 * Makes a value from a browser storable: removes control characters, replaces unpaired surrogates, cuts at 512 code
 * points. Returns null if nothing is left.
 */
export const capturedText = (value: string | null | undefined): string | null => {
  if (!value) return null;
  // nearly every value is short and clean
  if (value.length <= charactersMax && printableAscii.test(value)) return value;
  const wellFormed = value.toWellFormed();
  if (wellFormed.length <= charactersMax && !controlCharacter.test(wellFormed)) return wellFormed;
  const clean = wellFormed.replace(controlCharacters, '');
  return Array.from(clean).slice(0, charactersMax).join('') || null;
};

const beyondAscii = /[\u0080-\u00ff]/;

/** Decodes octets, one per character, as UTF-8. Returns `otherwise` if they are not valid UTF-8. */
const inUtf8 = (octets: string, otherwise: string): string => {
  if (!beyondAscii.test(octets)) return octets;
  const bytes = Buffer.from(octets, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : otherwise;
};

/** Decodes a header as UTF-8 if it is valid; Node.js reads all headers as ISO 8859-1. */
export const decodeText = (read: string): string => inUtf8(read, read);

const octet = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
const withoutEscapes = (written: string): string => inUtf8(written.replace(/%([0-9a-f]{2})/gi, octet), written);

const maybeEncoded = /[+%]/;

/** Decodes a name or value of a query. Text that is not UTF-8 stays encoded, so that nothing is lost. */
const decoded = (written: string): string =>
  inUtf8(
    maybeEncoded.test(written) ? written.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, octet) : written,
    written,
  );

/** The first value of any parameter of a query that has exactly this name. */
export const readParameter = (query: string, name: string): string | undefined => {
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=');
    if (decoded(at === -1 ? pair : pair.slice(0, at)) === name) return at === -1 ? '' : decoded(pair.slice(at + 1));
  }
  return undefined;
};

/** What a cookie holds beside the id, and when the click was, if it says so. */
interface Unpacked {
  readonly id: string;
  readonly time?: string | undefined;
}

// `_gcl_aw`: GCL.<seconds>.<id>; `_gac_…`: 1.<seconds>.<id>; `FPGCLAW`: 2.1.k<id>$i<seconds>
const googleCookies = [/^(?:GCL|1)\.(?<time>\d{10})\.(?<id>.+)$/i, /^2\.1\.k(?<id>[^$]+)\$i(?<time>\d{10})(?:\$.*)?$/];
// `_fbc`: fb.<subdomain index>.<milliseconds>.<id>, optionally with the appendix of Meta's parameter builder
const metaCookies = [/^fb\.\d+\.(?<time>\d{13}|\d{10})\.(?<id>fb\..+|[^.]+)(?:\.[\w-]{2,8})?$/i];
// `_uetmsclkid`
const microsoftCookies = [/^_uet(?<id>[0-9a-f]{32})$/i];

interface Kind {
  readonly shape: RegExp;
  readonly cookies?: readonly RegExp[];
}

// of a platform that documents no alphabet: whatever no template and no separator has
const undocumented: Kind = { shape: /^[^\s{}[\]<>()"'`\\^|$%&?#;,!*]+$/ };
// base64url; Google rejects others
const google: Kind = { shape: /^(?!GCL\.)[\w.=-]+$/i, cookies: googleCookies };

/** What the click ids of each platform look like. Where a platform does not say it, nearly everything is one. */
const kinds: Readonly<Record<ClickIdName, Kind>> = {
  gclid: google,
  gbraid: google,
  wbraid: google,
  // the dot separates the parts of `fbc`
  fbclid: { shape: /^[^\s{}[\]<>()"'`\\^|$%&?#;,!*.]+$/, cookies: metaCookies },
  ttclid: { shape: /^[A-Za-z0-9_.~=-]{4,1000}$/ },
  // LinkedIn accepts any text and matches nobody by a malformed one
  li_fat_id: { shape: /^[\w-]{8,200}$/ },
  // a GUID without hyphens, as auto-tagging adds it
  msclkid: { shape: /^[0-9a-f]{32}$/i, cookies: microsoftCookies },
  epik: undocumented,
  ScCid: undocumented,
  twclid: undocumented,
  rdt_cid: undocumented,
  oppref: undocumented,
};

// {gclid} {{fbclid}} ${GCLID} [gclid] <gclid>, also cut off; __CLICKID__ %%fbclid%% %gclid% $gclid$ #gclid# @gclid@ *|GCLID|* ((gclid)) $(gclid) :gclid
const template =
  /[{}<>]|\[.*\]|^__[A-Za-z][A-Za-z_]*__$|%%|^(?<mark>[%$#@])[A-Za-z_.]+\k<mark>$|^[$:@#][A-Za-z_]+$|^\*\|.*\|\*$|^\(\([\w. ]+\)\)$|^\$\(/;

const escape = /%[0-9a-f]{2}/i;
const isTemplate = (value: string): boolean =>
  template.test(value) || (escape.test(value) && template.test(withoutEscapes(withoutEscapes(value))));

// Letters and digits alone: `YOUR_FBCLID`, `click-id-here`, `(not set)`, zeros. No word is made of two others, so that a text can
// be read in one way only. A click id that consists of them by chance is rarer than any of them.
const nothing =
  /^(?:undefined|null|nil|nan|none|not|set|unset|empty|blank|missing|unknown|nothing|test(?:ing)?|example|sample|dummy|fake|demo|placeholder|todo|tbd|true|false|default|value|string|macro|param(?:eter)?|replace|change|insert|enter|paste|your|this|with|here|click|tracking|identifier|object|dclid|gclid|gbraid|wbraid|fbclid|ttclid|lifatid|msclkid|epik|sccid|twclid|rdtcid|facebook|google|tiktok|linkedin|microsoft|ad|my|the|id|na|x|0|123(?:4(?:5(?:6(?:7(?:89?)?)?)?)?)?)*$/;

const isNothing = (value: string): boolean => {
  if (value.length > 50) return false;
  const said = value.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  // guides and tests write x for any click id
  return said !== 'x' && nothing.test(said);
};

const clickClockMarginMs = 5 * 60_000;
const firstClickMs = Date.UTC(2010, 0, 1);

/** A time that a cookie may have, in milliseconds since 1970. */
const plausibleTime = (written: string | undefined, nowMs: number): number | undefined => {
  if (written === undefined) return undefined;
  const atMs = Number(written) * (written.length > 10 ? 1 : 1_000);
  return atMs >= firstClickMs && atMs <= nowMs + clickClockMarginMs ? atMs : undefined;
};

const unpack = (value: string, cookies: readonly RegExp[] = []): Unpacked => {
  for (const cookie of cookies) {
    const { id, time } = cookie.exec(value)?.groups ?? {};
    if (id === undefined) continue;
    // a cookie that was wrapped again: the inner time is that of the click
    const inner = unpack(id, cookies);
    return { id: inner.id, time: inner.time ?? time };
  }
  return { id: value };
};

/** A click id, and when the click was if the value says so; or why the value is none. */
export type ClickIdVerdict =
  | { readonly kind: 'usable'; readonly id: string; readonly clickedAtMs?: number | undefined }
  | { readonly kind: 'unusable'; readonly reason: UnusableReason };

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a malformed value may have been: without what was put around it, encoded once less, as a GUID without hyphens. */
const repaired = (value: string): string => {
  const bare = withoutEscapes(value).replaceAll(/^[\s\p{Cf}"']+|[\s\p{Cf}"'/]+$/gu, '');
  return guid.test(bare) ? bare.replaceAll('-', '') : bare;
};

// what can be no cookie, template or repair: nearly all click ids
const plain = /^(?!_)[\w-]+$/;

/**
 * Judges what was sent as a click id. A template that nobody filled, a word for nothing, and what its platform gives to no click,
 * would count as a click that never was, and spoil the match by other keys.
 */
export const judgeClickId = (name: ClickIdName, sent: string, nowMs: number): ClickIdVerdict => {
  const { shape, cookies } = kinds[name];
  if (plain.test(sent) && shape.test(sent) && !isNothing(sent)) return { kind: 'usable', id: sent };
  const { id, time } = unpack(sent.trim(), cookies);
  if (isTemplate(id)) return { kind: 'unusable', reason: 'template' };
  if (isNothing(id)) return { kind: 'unusable', reason: 'placeholder' };
  if (shape.test(id)) return { kind: 'usable', id, clickedAtMs: plausibleTime(time, nowMs) };
  const better = repaired(sent.trim());
  return better === sent.trim() || better === ''
    ? { kind: 'unusable', reason: 'malformed' }
    : judgeClickId(name, better, nowMs);
};

/** The click id that a stored parameter is; undefined if it is none. */
export const clickIdIn = (clickParameters: ClickParameters, name: ClickIdName): string | undefined => {
  const sent = clickParameters[name];
  const verdict = sent === undefined ? undefined : judgeClickId(name, sent, Infinity);
  return verdict?.kind === 'usable' ? verdict.id : undefined;
};

const clickIds: ReadonlySet<string> = new Set(clickIdNames);
const isClickId = (name: ClickParameterName): name is ClickIdName => clickIds.has(name);

type QueryName = (typeof queryParameterNames)[number];
const namesByLowerCase: ReadonlyMap<string, QueryName> = new Map(
  queryParameterNames.map((name) => [name.toLowerCase(), name]),
);

// What is left of a separator in front of a name: `&amp;`, `&#38;`, a second `?`.
const separatorRests = /^(?:amp;|#38;|#x26;|[?;#&\s\u200b])+/i;

const knownName = (written: string): QueryName | undefined => {
  const name = namesByLowerCase.get(written) ?? namesByLowerCase.get(written.toLowerCase());
  if (name !== undefined) return name;
  const bare = written.replace(separatorRests, '').trim();
  return bare === written ? undefined : namesByLowerCase.get(bare.toLowerCase());
};

const encoded = '%(?:25)*';
const separator = `(?:(?:[&;?#]|${encoded}(?:26|3b|3f|23))(?:amp(?:;|${encoded}3b)|#(?:38|x26);){0,4}){1,4}`;
// a known name behind any separator that people and programs make of the one that was meant
const hiddenName = new RegExp(
  `${separator}(?<name>${queryParameterNames.join('|')})(?:=|(?<escaped>${encoded}3d))`,
  'gi',
);
const mayHide = /[&;?#%]/;
// Real links are far below: a search costs more than a name.
const searchedMax = { parameters: 200, characters: 4_096 };

const beforeSeparator = (value: string): string => {
  const end = value.search(/[&;?#]/);
  return end === -1 ? value : value.slice(0, end);
};

/** The value of a parameter without the parameters that are hidden in it, and these. */
const splitHidden = (value: string): { readonly own: string; readonly hidden: readonly [QueryName, string][] } => {
  if (!mayHide.test(value)) return { own: value, hidden: [] };
  const found = [...value.slice(0, searchedMax.characters).matchAll(hiddenName)];
  const hidden = found.flatMap(({ index, 0: whole, groups }, place): [QueryName, string][] => {
    const name = namesByLowerCase.get(groups?.['name']?.toLowerCase() ?? '');
    const end = found[place + 1]?.index ?? value.length;
    const text = value.slice(index + whole.length, end);
    return name === undefined
      ? []
      : [[name, beforeSeparator(groups?.['escaped'] === undefined ? text : decoded(text))]];
  });
  return { own: value.slice(0, found[0]?.index), hidden };
};

interface Sent {
  readonly name: QueryName;
  readonly value: string;
}

// the query of another page has the click ids of that page
const otherAddress = /^\s*[a-z]+:\/\//i;

// nothing is encoded or hidden in it: most of the time of a visit would go into looking for that
const plainQuery = /^[\w.~=&-]*$/;

/** The known parameters of a query as they were sent, those hidden in others last. */
const readSent = (query: string): Sent[] => {
  const sent: Sent[] = [];
  const hidden: Sent[] = [];
  const isPlain = plainQuery.test(query);
  let searched = 0;
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=');
    if (isPlain) {
      const name = knownName(pair.slice(0, at));
      if (name !== undefined && at !== -1 && at + 1 < pair.length) sent.push({ name, value: pair.slice(at + 1) });
      continue;
    }
    const name = knownName(decoded(at === -1 ? pair : pair.slice(0, at)));
    if (name === undefined && (!mayHide.test(pair) || searched++ >= searchedMax.parameters)) continue;
    const value = decoded(pair.slice(at + 1));
    if (name !== undefined && at !== -1) {
      const split = splitHidden(value);
      if (split.own !== '') sent.push({ name, value: split.own });
      hidden.push(...split.hidden.map(([found, text]) => ({ name: found, value: text })));
    } else if (name === undefined && !(at !== -1 && otherAddress.test(value))) {
      const whole = splitHidden(`&${decoded(pair)}`);
      hidden.push(...whole.hidden.map(([found, text]) => ({ name: found, value: text })));
    }
  }
  return [...sent, ...hidden];
};

// `_fbp` is the browser's, and may be ours: see exchange.ts of landing
const cookieNames = [
  '_fbc',
  '_ttp',
  '_epik',
  '_scid',
  '_rdt_uuid',
] as const satisfies readonly (typeof cookieParameterNames)[number][];
type CookieName = (typeof cookieNames)[number];

/** What a request says about the click. */
export interface ReadClickParameters {
  /** Usable: click ids without what cookies wrap them in, other values unchanged. */
  readonly clickParameters: ClickParameters;
  /** When a click was, in milliseconds since 1970, where its id came in a cookie that says it. */
  readonly clickedAtMs: Readonly<Partial<Record<ClickIdName, number>>>;
  /** What was sent as click ids and is none. */
  readonly unusableClicks: UnusableClicks;
}

/**
 * Reads the click parameters of a query, the text behind the first question mark: names in any case, also behind separators that
 * were changed on the way. Of several values of a parameter, the first usable one that was sent properly counts. The cookies of
 * pixels are kept as they are.
 */
export const readClickParameters = (
  query: string,
  nowMs: number,
  cookieOf: (name: CookieName) => string | null | undefined = () => undefined,
): ReadClickParameters => {
  const clickParameters: ClickParameters = {};
  const clickedAtMs: Partial<Record<ClickIdName, number>> = {};
  const unusable: [ClickIdName, { sent: string; reason: UnusableReason }][] = [];
  for (const { name, value } of readSent(query)) {
    const text = clickParameters[name] === undefined ? capturedText(value) : null;
    if (text === null) continue;
    if (!isClickId(name)) {
      clickParameters[name] = text;
      continue;
    }
    // no click id has a separator
    const verdict = judgeClickId(name, beforeSeparator(text) || text, nowMs);
    if (verdict.kind === 'unusable') {
      unusable.push([name, { sent: text, reason: verdict.reason }]);
      continue;
    }
    clickParameters[name] = verdict.id;
    if (verdict.clickedAtMs !== undefined) clickedAtMs[name] = verdict.clickedAtMs;
  }
  const unusableClicks: UnusableClicks = {};
  // the first one of each
  for (const [name, click] of unusable) if (clickParameters[name] === undefined) unusableClicks[name] ??= click;
  for (const name of cookieNames) {
    const value = capturedText(cookieOf(name));
    if (value === null) continue;
    // Meta's pixel writes whatever the URL had as its click id
    const verdict = name === '_fbc' ? judgeClickId('fbclid', value, nowMs) : undefined;
    if (verdict?.kind === 'unusable') unusableClicks._fbc = { sent: value, reason: verdict.reason };
    else clickParameters[name] = value;
  }
  return { clickParameters, clickedAtMs, unusableClicks };
};
