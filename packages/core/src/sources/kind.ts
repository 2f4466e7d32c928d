import { type Language, languages } from '@leadback/domain';
import { choicesOf } from '@leadback/platforms';
import type { MakeRequest } from '@leadback/platforms/exchange';
import { z } from 'zod';
import type { SourceReason } from './reasons.ts';

/**
 * The contract of a kind of source: one folder of `kinds`, and one line in `kinds/index.ts`. A kind is pure: it judges what
 * was sent and says what it means. Who stores, registers, waits and repeats is the rest of `sources`.
 */

/** What the other side sent, as it was received. */
export interface ReceivedRequest {
  readonly method: 'GET' | 'POST';
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Without the question mark. */
  readonly query: string;
  readonly body: Buffer;
  /** Of several parts of one request, which. */
  readonly part?: number | undefined;
}

/** greeting: a request that only asks whether somebody is there. It gets 200, and is not kept. */
export type Verdict = 'genuine' | 'wrong-signature' | 'greeting';

/** Who bought, as far as it is known, as written there. */
export interface SourceBuyer {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  /** ISO 3166-1: in whose form the phone number is. Default: that of the account. */
  readonly country?: string | undefined;
  /** The `externalReference` of a client, if the other side knows it. */
  readonly externalReference?: string | undefined;
}

/** The whole state of an order, by one message or by what was fetched. */
export interface SourceOrder {
  /** The `conversionExternalReference`: text, whatever it is there. */
  readonly reference: string;
  /** Whether it was ever paid. What was not is no sale, and its end is nothing. */
  readonly isPaid: boolean;
  /** What was paid: a decimal. */
  readonly total: string;
  /** What is left of it after refunds: a decimal, 0 if all was given back or the sale was cancelled. */
  readonly left: string;
  /** Default: the first of the account. */
  readonly currency?: string | undefined;
  /** When it was paid: ISO 8601 with an offset. Default: when it was received. */
  readonly paidAt?: string | undefined;
  /** Since when it is so, by the clock of the other side. An older state changes nothing. */
  readonly stateAt?: string | undefined;
  readonly isTest?: boolean | undefined;
  readonly buyer: SourceBuyer;
  /** With which the visit began that led to it: a click id in them is used where no lead reference is found. */
  readonly landingUrls?: readonly (string | undefined)[] | undefined;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
  /** A lead reference that has a field of its own; any other is found wherever it stands. */
  readonly leadReference?: string | undefined;
  /** Beside what every sale has: `eventId`, `eventName`, `netAmount`, `items`. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
  /** Whether another message of the same sale, with its click, may follow: without a click, it waits for that. */
  readonly mayGetClick?: boolean | undefined;
}

/** What changed of an order, by a message that has no more of it. */
export interface SourceChange {
  readonly reference: string;
  /** Of the amount. Default: that of the sale. */
  readonly currency?: string | undefined;
  readonly isTest?: boolean | undefined;
  /** When it changed: ISO 8601 with an offset. */
  readonly changedAt?: string | undefined;
  readonly stateAt?: string | undefined;
  readonly to: /** `isCancellation`: it does not say that the order was ever paid. */
    | { readonly kind: 'retract'; readonly isCancellation?: boolean }
    /** The new total. */
    | { readonly kind: 'restate'; readonly amount: string }
    /** So much was given back. `id`: of the refund, so that none counts twice. */
    | { readonly kind: 'less'; readonly amount: string; readonly id: string };
}

/** What a request means. */
export type Meaning =
  | { readonly kind: 'nothing'; readonly reason: SourceReason; readonly message?: string }
  /** It only names what is to be fetched. `path`: of the API of the other side. */
  | { readonly kind: 'fetch'; readonly path: string }
  /** The shop passes on that these persons are to be erased, or all that it has sent. */
  | { readonly kind: 'erase'; readonly emails: readonly string[]; readonly all?: boolean }
  | { readonly kind: 'order'; readonly order: SourceOrder }
  | { readonly kind: 'change'; readonly change: SourceChange };

export interface Reading {
  /** What the other side calls it, such as `order.updated`. */
  readonly event: string;
  /** The same for repeats of one event, of this source alone. Undefined: they cannot be told from new ones. */
  readonly key?: string | undefined;
  readonly means: Meaning;
  /** Everything in which a lead reference may stand, and in which persons may be named. */
  readonly searched: unknown;
}

/** What the API of the other side said. */
export type Fetched =
  | { readonly kind: 'fetched'; readonly body: string }
  /** It is not there, perhaps not yet. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number | undefined }
  /** The credentials are refused: nothing can be fetched before an operator has fixed it. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface FetchTools {
  readonly request: MakeRequest;
  /** The same for a host that a person typed: only public addresses, each connection checked. */
  readonly requestTyped: MakeRequest;
  /** The URL of the API by the name of its setting. */
  readonly urlOf: (setting: string) => string;
}

/** What the other side has, and may not have told. */
export interface ListedState {
  /** Of its sale. */
  readonly reference: string;
  /** Since when it is so: ISO 8601 with an offset. */
  readonly stateAt: string;
  /** As if the other side had sent it. */
  readonly request: ReceivedRequest;
}

/** How the other side is asked for what it has not told: some give up soon, or switch a webhook off. */
interface CatchUp {
  /** A page, from 1, of what was changed since a time. `missing`: there is no such page. Never throws because of the network. */
  readonly fetch: (tools: FetchTools, since: Date, page: number) => Promise<Fetched>;
  /** None: it was the last page. */
  readonly read: (body: string) => readonly ListedState[];
}

/** Settings and secrets by the names of the fields of a kind. */
type Content = Readonly<Record<string, unknown>>;

/** Why a person could not let the other side give its credentials. */
export type ConnectFailure =
  /** There is no such app, or its secret is another one. */
  | 'app-refused'
  /** The code is too old, or was used. */
  | 'code-refused'
  /** The app may not read orders. */
  | 'scope-missing'
  /** The code is of another shop than that of the source. */
  | 'other-store'
  | 'unavailable';

/** `content`: settings and secrets that are known now, by name. */
export type Connected =
  | { readonly kind: 'connected'; readonly content: Content }
  | { readonly kind: 'failed'; readonly failure: ConnectFailure };

/** How a person lets the other side give its credentials, at a page there, instead of typing them. */
export interface Connecting {
  /** The page; `state` comes back from it with a code. */
  readonly pageOf: (tools: Pick<FetchTools, 'urlOf'>, state: string) => string;
  /** Never throws because of the network or the other side. */
  readonly exchange: (tools: FetchTools, code: string) => Promise<Connected>;
  /** Asks the other side, once it has given its credentials, to send to a URL. Returns the events for which it does not. */
  readonly subscribe: (tools: FetchTools, url: string) => Promise<readonly string[]>;
}

/** The order that a message is about. Undefined: it is about none. */
export const orderOf = (means: Meaning): SourceOrder | SourceChange | undefined => {
  if (means.kind === 'order') return means.order;
  return means.kind === 'change' ? means.change : undefined;
};

/** What cannot be read says so, when it is received and when it is worked on. */
export const unreadable: Reading = {
  event: 'message',
  means: { kind: 'nothing', reason: 'unreadable' },
  searched: undefined,
};

/** A source of this kind with its settings and secrets. */
export interface OpenSource {
  /** Covers the bytes as they were received. Compares in constant time. */
  readonly verify: (request: ReceivedRequest, nowMs: number) => Verdict;
  /** One request may tell several things, of which a bad one must not lose the others. Default: one. */
  readonly parts?: (request: ReceivedRequest) => readonly ReceivedRequest[];
  /** Must not depend on anything else. `fetched`: what was fetched for it. Throws if it cannot be read. */
  readonly read: (request: ReceivedRequest, fetched?: string) => Reading;
  /** Fetches from the hosts of this kind alone. Never throws because of the network or the other side. */
  readonly fetch?: (tools: FetchTools, path: string) => Promise<Fetched>;
  readonly catchUp?: CatchUp | undefined;
  /** Undefined: what it needs for that is not typed yet. */
  readonly connecting?: Connecting | undefined;
}

/** A secret that signs, newest first: during a rotation, each of them is accepted. */
export type SigningSecrets = readonly string[];

interface FieldText {
  readonly label: string;
  /** What it is and where to find it. */
  readonly help: string;
}

/** What the console says of a kind. */
export type KindTexts = Readonly<
  Record<
    Language,
    {
      /** What it brings. */
      readonly help: string;
      /** What to click at the other side, in order, with the names of its menus. */
      readonly steps: readonly string[];
      /** How a first message is sent, to see that one arrives. */
      readonly test: string;
      /** What raises the share of its sales that have a click. */
      readonly clicks: string;
      /** By the name of the setting or secret. */
      readonly fields: Readonly<Record<string, FieldText>>;
    }
  >
>;

const noteSchema = z.object({
  /** For the command line. */
  help: z.string(),
  /** What its value is called there. */
  value: z.string(),
  isSecret: z.boolean().default(false),
  /** It is the content of a JSON file. */
  isFile: z.boolean().default(false),
  /** It says something only if another setting has this value. */
  onlyWith: z.object({ name: z.string(), value: z.string() }).optional(),
});

/** A setting or secret of a source, as options and forms show it. */
export interface SourceField extends z.infer<typeof noteSchema> {
  readonly name: string;
  readonly texts: Readonly<Record<Language, FieldText>>;
  readonly isRequired: boolean;
  /** All values that it may have, first what is meant without one; empty: any text of its form. */
  readonly choices: readonly string[];
}

interface KindDefinition<Settings extends z.ZodObject, Secrets extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly texts: KindTexts;
  /** Public data. Each field has a `meta` of help and value: see `SourceField`. */
  readonly settings: Settings;
  /** Stored encrypted. `secret` is the one that signs. */
  readonly secrets: Secrets;
  /** Makes the secret that signs, if none is given. */
  readonly newSecret?: () => string;
  /** Secrets that are sent to the address of a setting: who changes it has to know them. */
  readonly sentTo?: { readonly setting: string; readonly secrets: readonly string[] };
  /** What is written behind its URL, with the sender's placeholders in place of the values; and what tests it. */
  readonly query?: { readonly template: string; readonly test: string };
  /** Which methods its URL takes; a HEAD is nothing. */
  readonly methods: readonly ReceivedRequest['method'][];
  /** Those that `read` needs, in lower case. */
  readonly headers?: readonly string[];
  /** The URLs of its APIs by the setting of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the other side gives its credentials at a page of its own: see `Connecting`. */
  readonly connects?: true;
  readonly open: (settings: z.output<Settings>, secrets: z.output<Secrets>, signing: SigningSecrets) => OpenSource;
}

export interface SourceKind
  extends Pick<
    KindDefinition<z.ZodObject, z.ZodObject>,
    'name' | 'title' | 'texts' | 'newSecret' | 'sentTo' | 'query' | 'methods'
  > {
  readonly headers: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly connects: boolean;
  readonly fields: readonly SourceField[];
  /** Throws a ZodError that names every value that is missing, wrong, or of another kind. */
  readonly parse: (typed: Content) => { readonly settings: Content; readonly secrets: Content };
  /** `earlier`: secrets that sign as well during a rotation. Throws if what is stored is wrong. */
  readonly open: (settings: unknown, secrets: unknown, earlier: SigningSecrets) => OpenSource;
}

const fieldsOf = (schema: z.ZodObject, texts: KindTexts): SourceField[] =>
  Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
    const textIn = (language: Language): FieldText => {
      const text = texts[language].fields[name];
      if (!text) throw new TypeError(`${name}: has no text in ${language}`);
      return text;
    };
    const [en, es, pt] = languages.map(textIn);
    if (!en || !es || !pt) throw new TypeError(`${name}: lacks a text`);
    const note = noteSchema.parse(z.globalRegistry.get(field), { error: () => `${name}: has no help or value` });
    const isRequired = !z.safeParse(field, undefined).success;
    return { name, ...note, texts: { en, es, pt }, isRequired, choices: choicesOf(field) };
  });

const contentSchema = z.record(z.string(), z.unknown());
const signingSchema = z.looseObject({ secret: z.string().optional() });

export const defineKind = <Settings extends z.ZodObject, Secrets extends z.ZodObject>(
  definition: KindDefinition<Settings, Secrets>,
): SourceKind => {
  const {
    name,
    title,
    texts,
    settings: settingsSchema,
    secrets: secretsSchema,
    newSecret,
    sentTo,
    query,
    methods,
  } = definition;
  const names = [...Object.keys(settingsSchema.shape), ...Object.keys(secretsSchema.shape)];
  return {
    name,
    title,
    texts,
    ...(newSecret && { newSecret }),
    ...(sentTo && { sentTo }),
    ...(query && { query }),
    methods,
    headers: definition.headers ?? [],
    env: definition.env ?? {},
    connects: definition.connects === true,
    fields: [...fieldsOf(settingsSchema, texts), ...fieldsOf(secretsSchema, texts)],
    parse(typed) {
      const settings = settingsSchema.safeParse(typed);
      const secrets = secretsSchema.safeParse(typed);
      const foreign = Object.keys(typed).filter((one) => !names.includes(one));
      const issues = [
        ...(settings.error?.issues ?? []),
        ...(secrets.error?.issues ?? []),
        ...foreign.map((one) => {
          return { code: 'custom' as const, path: [one], message: `${title} has no such setting`, input: undefined };
        }),
      ];
      if (!settings.success || !secrets.success || issues.length > 0) throw new z.ZodError(issues);
      return { settings: contentSchema.parse(settings.data), secrets: contentSchema.parse(secrets.data) };
    },
    open(settings, secrets, earlier) {
      const { secret } = signingSchema.parse(secrets);
      const signing = [...(secret === undefined ? [] : [secret]), ...earlier];
      return definition.open(settingsSchema.parse(settings), secretsSchema.parse(secrets), signing);
    },
  };
};
