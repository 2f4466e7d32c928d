import { readLandingFacts } from '@leadback/intake';
import type { Check } from './check.ts';
import { fail, type Finding, ok, warn } from './finding.ts';
import { pluralize, formatDuration } from './format.ts';

const check = 'landing apps';

export const checkLandingApps: Check = async ({ em }) => {
  const { known, behind, silent, silentForSeconds, ignoringProxy, missingTls } = await readLandingFacts(em);
  if (known === 0) {
    return [
      warn(
        check,
        'none has connected to this database within the last hour',
        'Start one if visitors are to land here.',
      ),
    ];
  }
  const findings: Finding[] = [];
  if (silent > 0) {
    findings.push(
      warn(
        check,
        `${pluralize(silent, 'landing app has', 'landing apps have')} not reported for up to ${formatDuration(silentForSeconds)} and may hold leads on disk`,
        'Restart it with the same LEAD_SPOOL_FOLDER. Until then, and for one hour at most, the api responds with 503 for leads that it may hold.',
      ),
    );
  }
  if (behind > 0) {
    findings.push(
      warn(
        check,
        `${pluralize(behind, 'landing app reports', 'landing apps report')} buffered leads`,
        'They are stored automatically within seconds. If this persists, the log of the landing app shows why; do not change SECRETS_KEY until they are stored.',
      ),
    );
  }
  if (missingTls > 0) {
    findings.push(
      fail(
        check,
        `${pluralize(missingTls, 'landing app is', 'landing apps are')} behind a proxy that ends TLS, but TRUST_PROXY is 0`,
        'Set TRUST_PROXY of landing, api and console to the number of proxies that append to X-Forwarded-For. Until then cookies of visitors lack Secure, browsers are not told to use HTTPS alone (HSTS), and recorded URLs begin with http:.',
      ),
    );
  }
  if (ignoringProxy > 0) {
    findings.push(
      warn(
        check,
        `${pluralize(ignoringProxy, 'landing app receives', 'landing apps receive')} X-Forwarded-For, but TRUST_PROXY is 0`,
        'Set TRUST_PROXY of landing and api to the number of proxies that append to X-Forwarded-For. Until then every visitor has the IP address of the proxy: platforms receive the wrong address, and the api counts all callers with wrong keys as one. If there is no proxy, a visitor forged the header: this warning ends one hour after the last such request.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(check, `${pluralize(known, 'landing app')}, no buffered leads`)];
};
