import { createHmac } from 'node:crypto';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { keysFor, type MasterKeys } from '@leadback/domain/keys';
import { statement } from '@leadback/db';
import { z } from 'zod';
import { type Check, type Found, fail, formatDuration, ok, pluralize, warn } from './check.ts';

// What a server with a domain needs besides apps that work: the checklist of docs/self-host.md.

/** Actions in the audit log: of the service `backup` of deploy/compose/server.yml, and of `backup record`, `secrets confirm`. */
export const serverActions = {
  taken: 'backup.taken',
  restored: 'backup.restored',
  confirmed: 'secrets.confirmed',
} as const;

/** Without a public URL of https it is somebody's own machine, on which nothing of this is missing. */
const isServer = (landingUrl: string): boolean => new URL(landingUrl).protocol === 'https:';
const onThisMachine = ok('not checked: LANDING_URL is not https, so this is no server for visitors');

const hourS = 3_600;
const dayS = 24 * hourS;
const requestMs = 4_000;
// proxies renew a certificate when a third of its time is left
const certificateWarnShare = 0.2;

interface Answered {
  readonly status: number;
  /** When its certificate ends; undefined: the connection is closed already. */
  readonly until: Date | undefined;
  /** Whether it should have been renewed. */
  readonly isEnding: boolean;
}

/** Asks a URL as a stranger would: over TLS, with a check of the certificate. */
const ask = (url: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const asked = requestHttps(url, { timeout: requestMs, agent: false }, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const { valid_from: first, valid_to: last } =
        socket instanceof TLSSocket ? socket.getPeerCertificate() : { valid_from: '', valid_to: '' };
      response.resume();
      const [fromMs, untilMs] = [Date.parse(first), Date.parse(last)];
      const isEnding = (untilMs - Date.now()) / (untilMs - fromMs) < certificateWarnShare;
      resolve({ status, until: Number.isNaN(untilMs) ? undefined : new Date(untilMs), isEnding });
    });
    asked.on('timeout', () => asked.destroy(new Error(`no response within ${requestMs / 1_000} s`)));
    asked.on('error', reject);
    asked.end();
  });

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.message : 'error';

const findingOfUrl = async (name: string, url: string | undefined): Promise<Found> => {
  if (url === undefined) return warn(`${name} is not set`, `Set it to the public URL: docs/reference/settings.md.`);
  if (new URL(url).protocol !== 'https:') {
    return fail(
      `${name} is ${url}: not encrypted`,
      'Put a proxy with a certificate in front, and set the URL to https.',
    );
  }
  try {
    const { status, until, isEnding } = await ask(url);
    if (status >= 502 && status <= 504) {
      return fail(
        `${url} answers ${status}: the proxy does not reach the app`,
        'See whether the app runs, and its log.',
      );
    }
    const certificate = until === undefined ? '' : `; its certificate ends at ${until.toISOString()}`;
    if (isEnding) {
      return warn(`${url} answers over TLS${certificate}`, 'See the log of the proxy: it should have renewed it.');
    }
    return ok(`${url} answers over TLS${certificate}`);
  } catch (error) {
    return fail(
      `${url} cannot be reached over TLS (${codeOf(error)})`,
      'Check that its DNS record points to this machine, that ports 80 and 443 are open, and the log of the proxy.',
    );
  }
};

export const checkPublicUrls: Check = async ({ landingUrl, apiUrl, consoleUrl }) => {
  if (!isServer(landingUrl)) return onThisMachine;
  return Promise.all([
    findingOfUrl('LANDING_URL', landingUrl),
    findingOfUrl('API_URL', apiUrl),
    findingOfUrl('CONSOLE_URL', consoleUrl),
  ]);
};

interface LastEntry {
  readonly action: string;
  readonly target: string;
  readonly details: unknown;
  readonly ageS: number;
}

const readLast = statement<LastEntry>(
  `select distinct on (action) action, target, details, extract(epoch from now() - at)::float8 as "ageS"
   from audit_entry where action = any($1::text[]) and account_id is null order by action, at desc, id desc`,
);

const backupWarnS = 36 * hourS;
const backupErrorS = 7 * dayS;
const restoreWarnS = 100 * dayS;

export const checkBackups: Check = async ({ pool, landingUrl }) => {
  if (!isServer(landingUrl)) return onThisMachine;
  const entries = await readLast(pool, [[serverActions.taken, serverActions.restored]]);
  const taken = entries.find(({ action }) => action === serverActions.taken);
  const restored = entries.find(({ action }) => action === serverActions.restored);
  if (!taken) {
    return warn(
      'none is known',
      'See the log of the service `backup` of Docker Compose. If backups are taken elsewhere, let that job run `backup record --taken`.',
    );
  }
  const found = `the last one, ${taken.target}, was taken ${formatDuration(taken.ageS)} ago`;
  const old = 'See the log of the service `backup`, or of what takes your backups.';
  const findings =
    taken.ageS > backupErrorS ? [fail(found, old)] : taken.ageS > backupWarnS ? [warn(found, old)] : [ok(found)];
  const todo =
    'Restore one into an empty database: `docker compose run --rm backup check`, or your own way and `backup record --restored`.';
  if (!restored) return [...findings, warn('none was ever restored', todo)];
  const last = `${restored.target} was restored ${formatDuration(restored.ageS)} ago`;
  return [...findings, restored.ageS > restoreWarnS ? warn(last, todo) : ok(last)];
};

/** Says which key a copy was compared with, and nothing of it. */
export const fingerprintOf = (keys: MasterKeys): string => {
  const [key] = keysFor(keys, 'account key');
  return createHmac('sha256', key).update('which key').digest('hex').slice(0, 16);
};

const confirmedSchema = z.object({ fingerprint: z.string() });

export const checkKeyCopy: Check = async ({ pool, landingUrl, secretsKeys }) => {
  if (!isServer(landingUrl)) return onThisMachine;
  if (secretsKeys === undefined) {
    return warn('not checked: SECRETS_KEY is not set', 'Run `doctor` with the SECRETS_KEY of the apps.');
  }
  const [confirmed] = await readLast(pool, [[serverActions.confirmed]]);
  const todo =
    'Store the SECRETS_KEY of .env in another place, such as a password manager. Then run `secrets confirm`, and paste it from there.';
  const isOfThisKey = confirmedSchema.safeParse(confirmed?.details).data?.fingerprint === fingerprintOf(secretsKeys);
  if (!confirmed || !isOfThisKey) return warn('nobody has shown a copy of the first key of SECRETS_KEY', todo);
  return ok(`a copy was compared ${formatDuration(confirmed.ageS)} ago`);
};

const statusSchema = z.object({ config: z.object({ original: z.string() }) });

const sumOf = (metrics: string, name: string): number =>
  Array.from(metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm')), ([, value]) =>
    Number(value),
  ).reduce((sum, value) => sum + value, 0);

export const checkAlerts: Check = async ({ landingUrl, alertmanagerUrl }) => {
  if (!isServer(landingUrl)) return onThisMachine;
  if (alertmanagerUrl === undefined) {
    return ok('not checked: ALERTMANAGER_URL is not set; route the alerts of Prometheus to people yourself');
  }
  const get = async (path: string) =>
    (await fetch(new URL(path, alertmanagerUrl), { signal: AbortSignal.timeout(requestMs) })).text();
  try {
    const [status, metrics] = await Promise.all(['/api/v2/status', '/metrics'].map(get));
    const { original } = statusSchema.parse(JSON.parse(status ?? '')).config;
    const [kind] = original.match(/(?<=\s)[a-z]+(?=_configs:)/g) ?? [];
    if (kind === undefined) {
      return warn('nobody is told of them', 'Set ALERTS_TO to an address of email or the URL of a webhook.');
    }
    const [sent, failed] = ['alertmanager_notifications_total', 'alertmanager_notifications_failed_total'].map((name) =>
      sumOf(metrics ?? '', name),
    );
    const found = `they go out by ${kind}: ${pluralize(sent ?? 0, 'message')} since Alertmanager started, ${failed} failed`;
    if ((failed ?? 0) > 0) return warn(found, 'See the log of Alertmanager, and check ALERTS_TO and SMTP_URL.');
    return ok(found);
  } catch (error) {
    return fail(
      `Alertmanager cannot be asked (${codeOf(error)})`,
      'See whether the service `alertmanager` runs, and its log.',
    );
  }
};

interface Admins {
  readonly withFactor: number;
  readonly invited: number;
}

const countAdmins = statement<Admins>(
  `select count(*) filter (where second_factor is not null
       or exists (select from passkey k where k.person_id = p.id)
       or exists (select from person_identity i where i.person_id = p.id))::int as "withFactor",
     count(*)::int as invited
   from person p where role = 'admin' and disabled_at is null`,
);

export const checkAdministrators: Check = async ({ pool, landingUrl }) => {
  if (!isServer(landingUrl)) return onThisMachine;
  const [{ withFactor, invited } = { withFactor: 0, invited: 0 }] = await countAdmins(pool, []);
  if (withFactor > 0) return ok(`${pluralize(withFactor, 'person has', 'people have')} a second factor or passkey`);
  return warn(
    invited === 0 ? 'nobody is invited' : 'nobody has accepted the invitation, with a second factor',
    'Run `user invite --email you@example.com --role admin`, and open the link that it prints within 7 days.',
  );
};
