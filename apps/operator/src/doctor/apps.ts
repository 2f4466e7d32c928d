import { type BacklogPart, measureBacklog } from '@leadback/core/delivery/due';
import {
  type Attention,
  findAccountsWaiting,
  type HeldConnection,
  readAttention,
} from '@leadback/core/delivery/waiting';
import type { Platform } from '@leadback/platforms';
import {
  type AccountId,
  type DestinationName,
  destinationNames,
  type DomainState,
  type PlatformName,
  platformNames,
  webhookName,
  reservedSlugs,
  sourceEventDays,
  webhookPauses,
} from '@leadback/domain';
import { type HeldSource, readHeldSources } from '@leadback/core/sources/attention';
import { contactCipher, PlatformConnection, LandingPage, statement } from '@leadback/db';
import { connectionKeys, contactOfLead, type CredentialsOwner, encryptingKey } from '@leadback/domain/keys';
import { findRepeatedDestinations } from '@leadback/core/connections/connections';
import { shownLabel } from '@leadback/core/delivery/webhook-deliveries';
import { readLandingFacts } from '@leadback/core/leads/landing-instances';
import { isEnding, versionWarnDays } from '@leadback/platforms';
import { addressKind, plainAddress } from '@leadback/platforms/address';
import { type Check, type Found, fail, ok, warn, pluralize, formatDuration, truncateList } from './check.ts';
import { refusalAdvice } from '../connection-advice.ts';
import { allStoredCredentials } from '../upkeep/rotation.ts';

const warnSeconds = 10 * 60;
const errorSeconds = 60 * 60;

const findingOf = (platform: DestinationName, parts: readonly BacklogPart[]): Found => {
  const rowsThat = (isMeant: (part: BacklogPart) => boolean) =>
    parts.filter(isMeant).reduce((sum, { rows }) => sum + rows, 0);
  const sent = rowsThat(({ waitsFor }) => waitsFor === 'worker' || waitsFor === 'retry');
  const held = rowsThat(({ waitsFor }) => waitsFor === 'paused' || waitsFor === 'needs_attention');
  const count = `${platform}: ${pluralize(sent, 'delivery', 'deliveries')} pending, ${held.toLocaleString('en')} held until a connection is resumed`;
  const freeSeconds = parts.find(({ waitsFor }) => waitsFor === 'worker')?.freeSeconds ?? 0;
  if (freeSeconds < warnSeconds) return ok(count);
  const found = `${count}; the oldest has been ready to send for ${formatDuration(freeSeconds)}`;
  const todo =
    'Start more feedback-workers, and see "workers" below; `delivery list --account ID --state pending` lists the deliveries.';
  return freeSeconds < errorSeconds ? warn(found, todo) : fail(found, todo);
};

export const checkBacklog: Check = async ({ pool }) => {
  const { parts, connections } = await measureBacklog(pool);
  const connected = destinationNames.filter((name) => connections.some(({ platform }) => platform === name));
  if (connected.length === 0) return ok('there are no connections yet');
  return connected.map((name) =>
    findingOf(
      name,
      parts.filter(({ platform }) => platform === name),
    ),
  );
};

const rowsMax = 20;

const worth = ({ money, isPartial }: Pick<HeldConnection, 'money' | 'isPartial'>): string => {
  if (money.length === 0) return '';
  const sums = money.map(({ currency, amount }) => `${currency} ${amount}`).join(' and ');
  return `, worth ${isPartial ? 'at least ' : ''}${sums}`;
};

const heldFinding = (accountId: AccountId, held: HeldConnection, platform: Platform): Found => {
  const { connectionId: id, label, state, reason, deliveries, since } = held;
  const waits = `${pluralize(deliveries, 'delivery waits', 'deliveries wait')}${worth(held)}`;
  const connection = `connection ${id} (${label}) of account ${accountId}`;
  if (state === 'paused') {
    const todo = `\`connection resume ${id}\` sends them; platforms take no events that are too old.`;
    return warn(`${connection} to ${platform.title} is paused since ${since.toISOString()}; ${waits}`, todo);
  }
  const found = `${platform.title} rejects ${connection}: ${reason ?? 'no reason given'}; ${waits}`;
  return fail(found, refusalAdvice({ id, platform: held.platform }, platform, reason ?? ''));
};

const untoldFinding = (accountId: AccountId, { untold }: Attention): Found[] => {
  const { conversions, connectionIds } = untold;
  if (conversions === 0) return [];
  const [id] = connectionIds;
  const todo =
    id === undefined
      ? 'Connect a platform: `connection create`. Then `connection backfill ID` reports them.'
      : `\`connection backfill ${id} --dry-run\` counts what it would report.`;
  return [warn(`no connection took ${pluralize(conversions, 'sale')} of account ${accountId}${worth(untold)}`, todo)];
};

/** Finds what waits for a person, in every account. */
export const checkConnections: Check = async ({ em, pool, platforms }) => {
  const { accountIds, others } = await findAccountsWaiting(pool, rowsMax);
  const findings: Found[] = [];
  for (const accountId of accountIds) {
    const attention = await readAttention(pool, { accountId, isTest: false });
    const held = attention.connections.map((one) => heldFinding(accountId, one, platforms[one.platform]));
    findings.push(...held, ...untoldFinding(accountId, attention));
  }
  if (findings.length === 0) {
    const paused = await em.count(PlatformConnection, {
      state: 'paused',
      platform: { $ne: webhookName },
      deletedAt: null,
    });
    return ok(`none needs attention${paused === 0 ? '' : `; ${pluralize(paused, 'is', 'are')} paused`}`);
  }
  if (others === 0) return findings;
  const rest = `something waits in ${pluralize(others, 'more account')}`;
  return [...findings, fail(rest, 'Act on these first, then run `doctor` again.')];
};

const heldSource = ({ id, accountId, kind, label, trouble, since, reason, waiting, refused }: HeldSource): Found => {
  const source = `source ${id} (${label}) of account ${accountId}`;
  const waits = pluralize(waiting, 'event waits', 'events wait');
  if (trouble === 'paused') {
    return warn(
      `${source} is paused since ${since.toISOString()}; ${waits}`,
      `\`source resume ${id}\` works on them; after ${sourceEventDays} days they are deleted.`,
    );
  }
  if (trouble === 'refused') {
    return fail(
      `${pluralize(refused, 'request')} to ${source} had no right signature since ${since.toISOString()}, and none after them had`,
      `Enter the secret of the other side: \`source change ${id} --secret @file\`. If it lost yours, \`source show ${id}\` has the URL.`,
    );
  }
  const todo = `Fix it with \`source change ${id}\`, then \`source resume ${id}\`; \`source create --help\` names the options of ${kind}.`;
  return fail(`${source} needs attention: ${reason ?? 'no reason given'}; ${waits}`, todo);
};

/** Finds shops and services whose sales do not count until somebody acts. */
export const checkSources: Check = async ({ pool }) => {
  const found = await readHeldSources(pool, undefined, rowsMax + 1);
  if (found.length === 0) return ok('none needs attention');
  const findings = found.slice(0, rowsMax).map(heldSource);
  if (found.length <= rowsMax) return findings;
  return [...findings, fail('more sources need attention', 'Act on these first, then run `doctor` again.')];
};

export const checkDestinations: Check = async ({ pool, platforms }) => {
  const found = await findRepeatedDestinations(pool, { platforms });
  if (found.length === 0) return ok('no account reports to one destination over two connections');
  const named = truncateList(
    found.map(({ accountId, ids: [one, other] }) => `${one} and ${other} (account ${accountId})`),
  );
  return warn(
    `connections report each sale twice to one destination: ${named}`,
    'Delete one of each two: `connection delete ID`. If both are wanted, such as for two campaigns, ignore this.',
  );
};

export const checkCredentials: Check = async ({ pool, secretsKeys }) => {
  if (secretsKeys === undefined) {
    return warn('not checked: SECRETS_KEY is not set', 'Run `doctor` with the SECRETS_KEY of the apps.');
  }
  const found: Record<ReturnType<typeof encryptingKey>, CredentialsOwner[]> = { first: [], another: [], none: [] };
  for await (const stored of allStoredCredentials(pool))
    found[encryptingKey(connectionKeys(secretsKeys, stored.platform), stored, stored.encrypted)].push(stored);
  const findings: Found[] = [];
  if (found.none.length > 0) {
    const named = truncateList(found.none.map(({ id, accountId }) => `connection ${id} (account ${accountId})`));
    findings.push(
      fail(
        `cannot decrypt ${named}: the key is not in SECRETS_KEY`,
        'Apps with these keys send nothing over these connections. Restore the key in every SECRETS_KEY (docs/security.md), or run `connection change` with all credentials.',
      ),
    );
  }
  if (found.another.length > 0) {
    findings.push(
      warn(
        `the credentials of ${pluralize(found.another.length, 'connection')} are not encrypted with the first key of SECRETS_KEY, or, for a webhook, with a key that only platforms' credentials have`,
        'Run `secrets rotate` to re-encrypt them; keep the other keys until then.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return ok(`all ${found.first.length.toLocaleString('en')} are encrypted with the first key of SECRETS_KEY`);
};

const renewalWarnDays = 15;

interface DueRenewal {
  readonly id: number;
  readonly accountId: number;
  readonly platform: PlatformName;
  readonly label: string;
  readonly days: number;
  readonly others: number;
}

const dueRenewals = statement<DueRenewal>(
  `select c.id, c.account_id as "accountId", c.platform, ${shownLabel()} as label, age.days, (count(*) over ())::int - ${rowsMax} as others
   from platform_connection c join jsonb_to_recordset($1::jsonb) as renewing(name text, days int) on renewing.name = c.platform
   cross join lateral (select extract(day from now() - greatest(c.credentials_entered_at, c.credentials_renewed_at))::int as days) age
   where c.deleted_at is null and age.days >= renewing.days - ${renewalWarnDays}
   order by age.days desc, c.id limit ${rowsMax}`,
);

/** Finds credentials that expire soon, because their platform has not renewed them: nothing was sent. */
export const checkRenewals: Check = async ({ pool, platforms }) => {
  const renewing = platformNames.flatMap((name) => {
    const { credentialsDays: days } = platforms[name];
    return days === undefined ? [] : [{ name, days }];
  });
  const found = await dueRenewals(pool, [JSON.stringify(renewing)]);
  const [first] = found;
  if (first === undefined) return ok(`none expires within ${renewalWarnDays} days`);
  const findings = found.map(({ id, accountId, platform, label, days }) => {
    const { title, credentialsDays } = platforms[platform];
    return warn(
      `the refresh token of connection ${id} (${label}, account ${accountId}) was neither renewed nor entered for ${days} days; ${title} lets it expire after ${credentialsDays}`,
      `Run \`connection check ${id}\`: ${title} renews it. If it rejects the token, sign in again (docs/connections.md) and run \`connection change ${id} --refresh-token …\`.`,
    );
  });
  if (first.others <= 0) return findings;
  const rest = `${pluralize(first.others, 'more refresh token expires', 'more refresh tokens expire')} soon`;
  return [...findings, warn(rest, 'Renew these first, then run `doctor` again.')];
};

const dayMs = 24 * 60 * 60_000;

/** Warns before a platform ends the version of its API that this release uses. */
export const checkVersions: Check = async ({ platforms }) => {
  const findings = platformNames.flatMap((name) => {
    const { title, apiVersion } = platforms[name];
    const nowMs = Date.now();
    if (!isEnding(apiVersion, nowMs)) return [];
    const { version, endsAt, source } = apiVersion;
    const days = Math.floor((endsAt.getTime() - nowMs) / dayMs);
    const day = endsAt.toISOString().slice(0, 10);
    const where = `No setting changes the version: it comes with the release. ${title} announces its versions at ${source}`;
    return days < 0
      ? [fail(`${title} may refuse version ${version} of its API since ${day}`, `Upgrade Leadback now. ${where}`)]
      : [
          warn(
            `${title} ends version ${version} of its API on ${day} at the earliest, in ${pluralize(days, 'day')}`,
            `Upgrade Leadback before then. ${where}`,
          ),
        ];
  });
  if (findings.length > 0) return findings;
  const used = platformNames.map((name) => {
    const { title, apiVersion } = platforms[name];
    const end = apiVersion.endsAt?.toISOString().slice(0, 10);
    return `${title} ${apiVersion.version} (${end === undefined ? 'no end announced' : `until ${end}`})`;
  });
  return ok(`none ends within ${versionWarnDays} days: ${used.join(', ')}`);
};

export const checkLandingApps: Check = async ({ pool }) => {
  const { known, behind, silent, silentForSeconds, ignoringProxy, missingTls } = await readLandingFacts(pool);
  if (known === 0) {
    return warn('none has connected to this database within the last hour', 'Start one if visitors are to land here.');
  }
  const findings: Found[] = [];
  if (silent > 0) {
    findings.push(
      warn(
        `${pluralize(silent, 'landing app has', 'landing apps have')} not reported for up to ${formatDuration(silentForSeconds)} and may hold leads on disk`,
        'Restart it with the same LEAD_SPOOL_FOLDER. Until then, and for one hour at most, the api responds with 503 for leads that it may hold.',
      ),
    );
  }
  if (behind > 0) {
    findings.push(
      warn(
        `${pluralize(behind, 'landing app reports', 'landing apps report')} buffered leads`,
        'They are stored automatically within seconds. If this persists, the log of the landing app shows why; do not change SECRETS_KEY until they are stored.',
      ),
    );
  }
  if (missingTls > 0) {
    findings.push(
      fail(
        `${pluralize(missingTls, 'landing app is', 'landing apps are')} behind a proxy that ends TLS, but TRUST_PROXY is 0`,
        'Set TRUST_PROXY of landing, api and console to the number of proxies that append to X-Forwarded-For. Until then cookies of visitors lack Secure, browsers are not told to use HTTPS alone (HSTS), and recorded URLs begin with http:. If there is no proxy, a visitor forged X-Forwarded-Proto: this ends one hour after the last such request.',
      ),
    );
  }
  if (ignoringProxy > 0) {
    findings.push(
      warn(
        `${pluralize(ignoringProxy, 'landing app receives', 'landing apps receive')} X-Forwarded-For, but TRUST_PROXY is 0`,
        'Set TRUST_PROXY of landing and api to the number of proxies that append to X-Forwarded-For. Until then every visitor has the IP address of the proxy: platforms receive the wrong address, and the api counts all callers with wrong keys as one. If there is no proxy, a visitor forged the header: this warning ends one hour after the last such request.',
      ),
    );
  }
  return findings.length > 0 ? findings : ok(`${pluralize(known, 'landing app')}, no buffered leads`);
};

interface RecentLead {
  readonly accountId: AccountId;
  readonly reference: string;
  readonly dataKey: Buffer;
  readonly contact: Buffer | null;
}

const recentLeads = statement<RecentLead>(
  `select l.account_id as "accountId", l.reference, a.data_key as "dataKey", l.contact
   from (select * from lead where not is_test order by id desc limit 500) l join account a on a.id = l.account_id
   where l.created_at > now() - interval '1 day' and a.data_key is not null`,
);

const judgedMin = 20;
const withoutShareMax = 0.2;

/** Warns if a proxy does not tell the addresses of visitors, or tells them in a way that is not read. */
export const checkVisitorAddresses: Check = async ({ pool, secretsKeys }) => {
  if (secretsKeys === undefined) {
    return warn('not checked: SECRETS_KEY is not set', 'Run `doctor` with the SECRETS_KEY of the apps.');
  }
  const { decrypt } = contactCipher(secretsKeys);
  const counts = { read: 0, without: 0 };
  for (const { accountId, reference, dataKey, contact } of await recentLeads(pool, [])) {
    const owner = contactOfLead(accountId, reference);
    const { ipAddress } = decrypt({ accountId, owner, dataKey, contact });
    const kind = addressKind(plainAddress(ipAddress ?? ''));
    // of a browser on the machine itself, such as a developer's
    if (kind === 'loopback') continue;
    counts.read += 1;
    if (kind === undefined || kind === 'private') counts.without += 1;
  }
  if (counts.read < judgedMin) return ok(`fewer than ${judgedMin} leads within a day to judge by`);
  const share = counts.without / counts.read;
  const found = `${Math.round(share * 100)} % of the newest ${pluralize(counts.read, 'lead')} have no IP address that a platform takes`;
  if (share <= withoutShareMax) return ok(found);
  return warn(
    found,
    'Platforms match fewer sales. Set TRUST_PROXY of landing to the number of proxies in front of it. The first of them must write the address of the visitor into X-Forwarded-For.',
  );
};

/** Finds pages from before their path was reserved. */
export const checkLandingPages: Check = async ({ em }) => {
  const found = await em.find(LandingPage, { slug: { $in: [...reservedSlugs] }, isOn: true });
  if (found.length === 0) return ok('none has a reserved path');
  return found.map(({ id, slug, account }) =>
    warn(
      `page ${id} of account ${account.id} is not served: Leadback or its load balancer uses the path /${slug}`,
      `Run \`page rename ${id} --slug …\`, and let the ads lead to the new URL.`,
    ),
  );
};

const readDomains = statement<{ id: number; name: string; accountId: AccountId; state: DomainState }>(
  `select id, name, account_id as "accountId", state from own_domain
   where removed_at is null and (state = 'wrong' or state = 'waiting' and created_at < now() - interval '7 days')
   order by state desc, id limit ${rowsMax + 1}`,
);

/** Finds domains that no longer lead to landing, and those that nobody has finished. */
export const checkDomains: Check = async ({ pool }) => {
  const found = await readDomains(pool, []);
  if (found.length === 0) return ok('none leads elsewhere');
  const findings = found
    .slice(0, rowsMax)
    .map(({ id, name, accountId, state }) =>
      warn(
        `${name} of account ${accountId} ${state === 'wrong' ? 'does not lead to landing: its visitors get no page' : 'has waited for its DNS record for a week'}`,
        `\`domain check ${id}\` says what is wrong, and which record to create; \`domain remove ${id}\` ends it.`,
      ),
    );
  if (found.length <= rowsMax) return findings;
  return [...findings, warn('there are more', 'See `domain list --all`.')];
};

/** Finds webhooks that Leadback has paused. Those that a partner or an operator has paused are as they want them. */
export const checkWebhooks: Check = async ({ em, platforms }) => {
  const platform = webhookName;
  const paused = { platform, state: 'paused', stateReason: { $in: Object.values(webhookPauses) } } as const;
  const [webhooks, count, all] = await Promise.all([
    em.find(PlatformConnection, paused, { orderBy: { id: 'asc' }, limit: rowsMax }),
    em.count(PlatformConnection, paused),
    em.count(PlatformConnection, { platform, deletedAt: null }),
  ]);
  if (all === 0) return ok('there are no webhooks');
  if (count === 0) return ok(`${pluralize(all, 'webhook', 'webhooks')}, none was paused for failing`);
  const findings = webhooks.map((webhook) => {
    const { id, account, stateReason } = webhook;
    const found = `webhook ${id} of account ${account.id} was paused: ${stateReason}`;
    return warn(found, refusalAdvice(webhook, platforms.webhook, stateReason ?? ''));
  });
  const others = count - webhooks.length;
  if (others === 0) return findings;
  return [
    ...findings,
    warn(`${pluralize(others, 'more webhook was', 'more webhooks were')} paused`, 'See `webhook list --account`.'),
  ];
};
