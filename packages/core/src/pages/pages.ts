import { createHash, randomBytes } from 'node:crypto';
import { type EntityManager, LandingPage, LandingImage, LandingSlug, statement, transaction } from '@leadback/db';
import type { AccountId, PageContent, PageImage } from '@leadback/domain';
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { ActionRefused } from '../people/access.ts';
import { audit } from '../audit.ts';
import { addressKind } from '@leadback/platforms/address';
import { announceChangedTarget } from '../delivery/webhook-deliveries.ts';
import { pagePreviewCode, pagePreviewKeys, type SecretsKeys } from '@leadback/domain/keys';
import { holdAccount } from '../accounts/accounts.ts';

interface PageKey {
  readonly id: number;
  /** Undefined: of any account. */
  readonly accountId?: AccountId | undefined;
}

const noPage = (id: number) => new ActionRefused('not-found', `there is no page ${id}`);
const where = ({ id, accountId }: PageKey) => ({
  id,
  deletedAt: null,
  ...(accountId !== undefined && { account: accountId }),
});

export const findPage = async (em: EntityManager, key: PageKey): Promise<LandingPage> => {
  const page = await em.findOne(LandingPage, where(key));
  if (!page) throw noPage(key.id);
  return page;
};

/** As it is now, and nobody changes it until the transaction ends. */
const lockPage = async (em: EntityManager, key: PageKey): Promise<LandingPage> => {
  const page = await em.findOne(LandingPage, where(key), { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!page) throw noPage(key.id);
  return page;
};

// PostgreSQL orders the names in a jsonb value
const imageOf = (image: PageImage | null | undefined): PageImage | null => {
  if (!image) return null;
  const { src, alt, width, height } = image;
  return { src, alt, ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
};

export const contentOf = (page: LandingPage): PageContent => ({
  targetUrl: page.targetUrl,
  mode: page.mode,
  title: page.title ?? null,
  text: page.text ?? null,
  buttonLabel: page.buttonLabel ?? null,
  language: page.language,
  accentColor: page.accentColor ?? null,
  logo: imageOf(page.logo),
  hero: imageOf(page.hero),
  askedFields: page.askedFields,
  consentText: page.consentText ?? null,
  consentScope: page.consentScope,
  privacyUrl: page.privacyUrl ?? null,
  passedParameters: page.passedParameters,
  origins: page.origins,
  waitsForConsent: page.waitsForConsent,
});

/** Differs between different contents. For a change that must not overwrite one that its author has not seen. */
export const contentVersion = (content: PageContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');

/** What differs, field by field, for the audit log. */
const differencesOf = (before: PageContent, after: PageContent): Record<string, unknown> => {
  const earlier = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(earlier.get(field)))
      .map(([field, value]) => [field, { before: earlier.get(field), after: value }]),
  );
};

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || addressKind(host) === 'loopback';

/** Whether a URL leads to the machine itself, as those of a sandbox do. */
export const isOfThisMachine = (url: string): boolean => isLoopback(hostOf(url));

// names that only one network knows
const isPrivateName = (host: string): boolean => !host.includes('.') || /\.(local|internal|home\.arpa|lan)$/.test(host);

/** Whether a host is the same one for everybody: no machine itself, no address and no name that only one network knows. */
export const isPublicHost = (host: string): boolean => {
  const kind = addressKind(host);
  return kind === undefined ? !isLoopback(host) && !isPrivateName(host) : kind === 'public';
};

/**
 * Why visitors cannot be redirected to a URL: for them it would be a device of their own network. This machine may be the
 * target if landing itself is on it, as on a developer's.
 */
export const targetProblem = (target: string, landingUrl: string): string | undefined => {
  const host = hostOf(target);
  if (isLoopback(host) && isOfThisMachine(landingUrl)) return undefined;
  return isPublicHost(host) ? undefined : 'must be a public host: visitors would be redirected into their own network';
};

const uploaded = '/media/';

const checkImage = async (em: EntityManager, { account }: LandingPage, image: PageImage): Promise<void> => {
  if (!image.src.startsWith(uploaded)) return;
  const isOwn = await em.count(LandingImage, { name: image.src.slice(uploaded.length), account });
  if (isOwn === 0) throw new ActionRefused('invalid', `${image.src}: the account has no such image; upload it again`);
};

const refuseTargets = (name: string, targets: readonly string[], landingUrl: string): void => {
  const [problem] = targets.flatMap((target) => targetProblem(target, landingUrl) ?? []);
  if (problem !== undefined) throw new ActionRefused('invalid', `${name}: ${problem}`);
};

/** What visitors of a page see or fill in. */
const shownFields = [
  'title',
  'text',
  'buttonLabel',
  'logo',
  'hero',
  'accentColor',
  'consentText',
  'privacyUrl',
] as const;

const isOnOwnOrigin = ({ origins, targetUrl }: Pick<PageContent, 'origins' | 'targetUrl'>): boolean =>
  origins.includes(new URL(targetUrl).origin);

/**
 * Refuses what a page with a script cannot have, and what no other can. Its target, to which older links to it lead, is on a site
 * that has the script: unless another one is given, the start page of the first.
 */
const checkScript = (page: LandingPage, { targetUrl }: Partial<PageContent>): void => {
  if (page.mode !== 'script') {
    if (page.origins.length > 0 || page.waitsForConsent)
      throw new ActionRefused('invalid', 'origins and waiting for consent are of pages with the mode script');
    return;
  }
  const [first] = page.origins;
  if (first === undefined)
    throw new ActionRefused('invalid', 'origins: a page with the mode script needs one, such as https://shop.example');
  const shown = shownFields.find((field) => page[field] !== null && page[field] !== undefined);
  if (shown !== undefined || page.askedFields.length > 0)
    throw new ActionRefused(
      'invalid',
      `${shown ?? 'askedFields'}: a page with the mode script shows nothing; remove it or use another mode`,
    );
  if (isOnOwnOrigin(page)) return;
  if (targetUrl !== undefined) throw new ActionRefused('invalid', 'target: expected a page of one of its origins');
  page.targetUrl = `${first}/`;
};

/**
 * Writes the given fields into a page. Refuses consent on a direct page, images of other accounts, targets in a private
 * network, and what the mode cannot have.
 */
const writeContent = async (
  em: EntityManager,
  page: LandingPage,
  { content, landingUrl }: { readonly content: Partial<PageContent>; readonly landingUrl: string },
): Promise<void> => {
  refuseTargets('target', content.targetUrl === undefined ? [] : [content.targetUrl], landingUrl);
  refuseTargets('origins', content.origins ?? [], landingUrl);
  for (const image of [content.logo, content.hero]) if (image) await checkImage(em, page, image);
  em.assign(page, Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)));
  if (page.mode === 'direct' && page.consentText) {
    throw new ActionRefused(
      'invalid',
      'a direct page is never shown, so visitors cannot agree; use the mode page or remove the consent text',
    );
  }
  checkScript(page, content);
};

interface PageChange extends PageKey {
  readonly actor: string;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  /** The fields that are given; null removes a value. */
  readonly content: Partial<PageContent>;
  /** Of the content that the author has seen. Default: whatever it is now. */
  readonly version?: string | undefined;
}

interface ChangedPage {
  /** `changed-meanwhile`: nothing was written, because the content is no longer that of `version`. */
  readonly outcome: 'changed' | 'changed-meanwhile';
  readonly page: LandingPage;
}

/** Changes the content of a page; landing apps show it within seconds. */
export const changePage = (
  em: EntityManager,
  { actor, content, version, landingUrl, ...key }: PageChange,
): Promise<ChangedPage> =>
  transaction(em, async (tx) => {
    const page = await lockPage(tx, key);
    const before = contentOf(page);
    if (version !== undefined && version !== contentVersion(before)) return { outcome: 'changed-meanwhile', page };
    // a target from before it was refused stays
    const { targetUrl, ...others } = content;
    const isNew = targetUrl !== undefined && targetUrl !== before.targetUrl;
    await writeContent(tx, page, { content: isNew ? content : others, landingUrl });
    const details = differencesOf(before, contentOf(page));
    if (Object.keys(details).length === 0) return { outcome: 'changed', page };
    const accountId = page.account.id;
    const target = `page ${page.id}`;
    const hosts = { before: new URL(before.targetUrl).host, after: new URL(page.targetUrl).host };
    const isElsewhere = hosts.before !== hosts.after;
    if (isElsewhere) tx.assign(page, { earlierHost: hosts.before, hostChangedAt: new Date() });
    await tx.flush();
    await audit(tx, { actor, action: 'page.change', accountId, target, details });
    if (isElsewhere) {
      await audit(tx, { actor, action: 'page.change-host', accountId, target, details: { host: hosts } });
      await announceChangedTarget(tx, { accountId, pageId: page.id, ...hosts });
    }
    // a trigger has set the time of the change
    await tx.refresh(page);
    return { outcome: 'changed', page };
  });

const readTaken = statement<{ slug: string; isOfOther: boolean; hasDomain: boolean }>(
  `select s.slug, p.account_id <> $1 as "isOfOther",
          exists (select from own_domain where account_id = $1 and removed_at is null) as "hasDomain"
   from landing_slug s join landing_page p on p.id = s.landing_page_id where s.scope = 0 and s.slug = any($2)`,
);

const slugLongest = 64;

/**
 * The slugs of a page that shall have this one. An account with a domain has its own slugs there: then a slug that a page of another
 * account has, or had, gets an end on the host of the installation.
 */
const slugsFor = async (tx: EntityManager, accountId: AccountId, slug: string) => {
  const ends = [`-${accountId}`, `-${accountId}-${randomBytes(4).toString('hex')}`];
  const others = ends.map((end) => slug.slice(0, slugLongest - end.length).replace(/-$/, '') + end);
  const taken = await readTaken(tx, [accountId, [slug, ...others]]);
  const holder = taken.find((page) => page.slug === slug);
  const free = others.find((other) => taken.every((page) => page.slug !== other));
  if (!holder?.isOfOther || !holder.hasDomain || free === undefined) return { slug, ownSlug: null };
  return { slug: free, ownSlug: slug };
};

const slugTaken = (slug: string) =>
  new ActionRefused(
    'conflict',
    `slug: ${slug} is taken; choose another, or add a domain to the account, on which it has its own slugs`,
  );

interface NewPage {
  readonly actor: string;
  readonly accountId: AccountId;
  readonly slug: string;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  /** The target may be missing where the mode is script. */
  readonly content: Partial<PageContent>;
  /** Default: it is. */
  readonly isOn?: boolean;
}

/** Does what gives a page a slug, unless another page has it, or had it. */
const takingSlug = async <Result>(
  em: EntityManager,
  slug: string,
  take: (tx: EntityManager) => Promise<Result>,
): Promise<Result> => {
  try {
    return await transaction(em, take);
  } catch (error) {
    throw error instanceof UniqueConstraintViolationException ? slugTaken(slug) : error;
  }
};

/**
 * Creates a landing page. Refuses a slug that another page has, or had: of any account, unless this one has a domain.
 */
export const createPage = async (
  em: EntityManager,
  { actor, accountId, slug, content, landingUrl, isOn = true }: NewPage,
): Promise<LandingPage> => {
  const [origin] = content.origins ?? [];
  const targetUrl = content.targetUrl ?? (origin === undefined ? undefined : `${origin}/`);
  if (targetUrl === undefined) throw new ActionRefused('invalid', 'target: expected the URL of a page');
  return takingSlug(em, slug, async (tx) => {
    const account = await holdAccount(tx, accountId);
    const page = tx.create(LandingPage, {
      account,
      ...(await slugsFor(tx, accountId, slug)),
      targetUrl,
      isOn,
      isHidden: account.hidesPages,
    });
    await writeContent(tx, page, { content, landingUrl });
    await tx.flush();
    const details = { slug, ...(!isOn && { isOn }) };
    await audit(tx, { actor, action: 'page.create', accountId, target: `page ${page.id}`, details });
    return page;
  });
};

/** The URL of a path of the landing app. */
export const pageUrl = (landingUrl: string, path: string): string =>
  new URL(path, `${landingUrl.replace(/\/$/, '')}/`).href;

/** Makes URLs that show a page as it is stored, on or off, and record nothing. */
export const previewUrls = (secretsKeys: SecretsKeys, landingUrl: string): ((id: number) => string) => {
  const keys = pagePreviewKeys(secretsKeys);
  return (id) => pageUrl(landingUrl, `preview/${pagePreviewCode(keys, id)}`);
};

interface Rename {
  readonly id: number;
  readonly actor: string;
  readonly slug: string;
}

/**
 * Gives a page another slug. Its former address goes on working for as long as the page exists, and no other page gets it,
 * unless `releaseSlugs` gives it up.
 */
export const renamePage = (em: EntityManager, { id, actor, slug }: Rename): Promise<LandingPage> =>
  takingSlug(em, slug, async (tx) => {
    const page = await lockPage(tx, { id });
    const before = page.ownSlug ?? page.slug;
    if (before === slug) return page;
    tx.assign(page, await slugsFor(tx, page.account.id, slug));
    await tx.flush();
    const details = { slug: { before, after: slug } };
    await audit(tx, { actor, action: 'page.rename', accountId: page.account.id, target: `page ${id}`, details });
    return page;
  });

interface PageDeletion extends PageKey {
  readonly actor: string;
}

/**
 * Deletes a page, within seconds everywhere. Its leads and their numbers stay, under its slug. Its addresses stay with the
 * account, because its ads may still run: a new page of the account may have them, and one of another account after
 * `releaseSlugs`.
 */
export const deletePage = (em: EntityManager, { actor, ...key }: PageDeletion): Promise<LandingPage> =>
  transaction(em, async (tx) => {
    const page = await lockPage(tx, key);
    tx.assign(page, { deletedAt: new Date(), isOn: false, isOfServer: false });
    const details = { slug: page.ownSlug ?? page.slug };
    await audit(tx, { actor, action: 'page.delete', accountId: page.account.id, target: `page ${page.id}`, details });
    return page;
  });

interface SlugRelease {
  readonly id: number;
  readonly actor: string;
}

/** Gives up the former slugs of a page, and the last one of a deleted page: any account may have them. */
export const releaseSlugs = (em: EntityManager, { id, actor }: SlugRelease): Promise<readonly string[]> =>
  transaction(em, async (tx) => {
    const page = await tx.findOne(LandingPage, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    if (!page) throw noPage(id);
    const isInUse = ({ scope, slug }: LandingSlug): boolean =>
      !page.deletedAt && slug === (scope === 0 ? page.slug : (page.ownSlug ?? page.slug));
    const found = await tx.find(LandingSlug, { page }, { orderBy: { slug: 'asc' } });
    const released = found.filter((one) => !isInUse(one));
    const slugs = [...new Set(released.map(({ slug }) => slug))];
    if (slugs.length === 0) return slugs;
    for (const one of released) one.page = null;
    // landing apps read the changed page again
    await tx.nativeUpdate(LandingPage, { id }, { isOn: page.isOn });
    const target = `page ${id}`;
    await audit(tx, { actor, action: 'page.release', accountId: page.account.id, target, details: { slugs } });
    return slugs;
  });

interface PageSwitch extends PageKey {
  readonly actor: string;
  readonly isOn: boolean;
}

/** Shows or hides a page, within seconds everywhere. Its leads stay. */
export const switchPage = (em: EntityManager, { actor, isOn, ...key }: PageSwitch): Promise<LandingPage> =>
  transaction(em, async (tx) => {
    const page = await lockPage(tx, key);
    page.isOn = isOn;
    const action = isOn ? 'page.on' : 'page.off';
    await audit(tx, { actor, action, accountId: page.account.id, target: `page ${page.id}` });
    return page;
  });
