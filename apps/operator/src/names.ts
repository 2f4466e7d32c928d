import {
  Account,
  ApiKey,
  type EntityManager,
  LandingSlug,
  OwnDomain,
  Person,
  PlatformConnection,
  Source,
} from '@leadback/db';
import { nearestName } from '@leadback/domain';
import { OperatorError, optionFlag } from './options.ts';

type Find = (em: EntityManager, name: string) => Promise<readonly { readonly id: number }[]>;

interface Noun {
  readonly noun: string;
  /** What names one. */
  readonly by: string;
  readonly find: Find;
  /** What a name that none has is compared with. */
  readonly all?: (em: EntityManager) => Promise<readonly { readonly id: number; readonly name: string }[]>;
}

// so that a mistyped name is compared with names that fit into memory
const namesMax = 10_000;

const account: Noun = {
  noun: 'account',
  by: 'name',
  find: (em, name) => em.find(Account, { name }, { fields: ['id'], orderBy: { id: 'asc' } }),
  all: (em) => em.find(Account, {}, { fields: ['id', 'name'], orderBy: { id: 'asc' }, limit: namesMax }),
};

const connection: Noun = {
  noun: 'connection',
  by: 'label',
  find: (em, label) =>
    em.find(
      PlatformConnection,
      { deletedAt: null, $or: [{ label }, { label: null, destination: label }] },
      { fields: ['id'], orderBy: { id: 'asc' } },
    ),
};

/** What the argument of the commands of a group names. */
const argumentOf: Readonly<Record<string, Noun>> = {
  account,
  connection,
  key: {
    noun: 'key',
    by: 'name',
    find: (em, name) => em.find(ApiKey, { name, revokedAt: null }, { fields: ['id'], orderBy: { id: 'asc' } }),
  },
  domain: {
    noun: 'domain',
    by: 'name',
    find: (em, name) => em.find(OwnDomain, { name: name.toLowerCase(), removedAt: null }, { fields: ['id'] }),
  },
  // also by a former one
  page: {
    noun: 'page',
    by: 'slug',
    async find(em, slug) {
      const found = await em.find(LandingSlug, { slug });
      return [...new Set(found.flatMap(({ page }) => page?.id ?? []))].map((id) => ({ id }));
    },
  },
  source: {
    noun: 'source',
    by: 'label',
    find: (em, label) => em.find(Source, { label, deletedAt: null }, { fields: ['id'], orderBy: { id: 'asc' } }),
  },
  user: {
    noun: 'person',
    by: 'email',
    find: (em, email) => em.find(Person, { email: email.toLowerCase() }, { fields: ['id'] }),
  },
};

const options: Readonly<Record<string, Noun>> = { account, connection };

const isId = (typed: string): boolean => /^\s*[+-]?[\d.]*\s*$/.test(typed);

const idOf = async (em: EntityManager, typed: unknown, noun: Noun, flag: string): Promise<unknown> => {
  if (typeof typed !== 'string' || isId(typed)) return typed;
  const { by, find } = noun;
  const name = typed.trim().normalize('NFC');
  const named = await find(em, name);
  const all = named.length > 0 ? [] : ((await noun.all?.(em)) ?? []);
  const alike = all.filter((other) => other.name.toLowerCase() === name.toLowerCase());
  const [one, ...others] = named.length > 0 ? named : alike;
  if (!one) {
    const names = all.map((other) => other.name);
    const meant = nearestName(name, names);
    const list = `\`${noun.noun === 'person' ? 'user' : noun.noun} list\` shows all`;
    const hint = meant === undefined ? list : `did you mean '${meant}'?`;
    throw new OperatorError(`${flag}: there is no ${noun.noun} with this ${by}; ${hint}`);
  }
  if (others.length === 0) return one.id;
  const ids = [one, ...others].map(({ id }) => id).join(', ');
  throw new OperatorError(`${flag}: several have this ${by}; give the id of one: ${ids}`);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was typed, with ids for the names of accounts, connections, domains, pages, keys and people. */
export const withIds = async (
  { name }: { readonly name: string },
  input: unknown,
  em: EntityManager,
): Promise<unknown> => {
  if (!isRecord(input)) return input;
  const [group = ''] = name.split(' ');
  const named = { ...input };
  for (const [field, noun] of Object.entries({ ...options, id: argumentOf[group] })) {
    const typed = input[field];
    if (!noun || typed === undefined) continue;
    const flag = field === 'id' ? 'ID' : optionFlag(field);
    named[field] = Array.isArray(typed)
      ? await Promise.all(typed.map((each: unknown) => idOf(em, each, noun, flag)))
      : await idOf(em, typed, noun, flag);
  }
  return named;
};
