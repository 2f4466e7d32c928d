import { readLandingFacts } from '@leadback/db';
import type { Check } from './check.ts';
import { type Finding, ok, warn } from './finding.ts';
import { pluralize, formatDuration } from './format.ts';

const check = 'landing apps';

/** Whether landing apps run, and whether leads wait to be written. */
export const checkLandingApps: Check = async ({ em }) => {
  const { known, behind, silent, silentForSeconds, ignoringProxy } = await readLandingFacts(em);
  if (known === 0) {
    return [
      warn(
        check,
        'none has been connected to this database within the last hour',
        'Start one, if visitors are to land here.',
      ),
    ];
  }
  const findings: Finding[] = [];
  if (silent > 0) {
    findings.push(
      warn(
        check,
        `${pluralize(silent, 'landing app has', 'landing apps have')} been silent for up to ${formatDuration(silentForSeconds)} and may hold leads on disk`,
        'Start it again on the same LEAD_SPOOL_FOLDER. Until then, or for an hour, the api answers 503 for a lead that may yet come.',
      ),
    );
  }
  if (behind > 0) {
    findings.push(
      warn(
        check,
        `${pluralize(behind, 'landing app knows', 'landing apps know')} of leads that are not written yet`,
        'They are written by themselves within seconds. If this stays, the log of the landing app says what keeps them; change no key of SECRETS_KEY until it is over.',
      ),
    );
  }
  if (ignoringProxy > 0) {
    findings.push(
      warn(
        check,
        `${pluralize(ignoringProxy, 'landing app receives', 'landing apps receive')} X-Forwarded-For, but TRUST_PROXY is 0`,
        'Set TRUST_PROXY of landing and api to the number of proxies that append to X-Forwarded-For. Until then the address of the proxy stands for that of every visitor: platforms are not told the right one, and the api counts all callers with wrong keys as one. If there is no proxy, a visitor made the header up: this warning ends an hour after the last such request.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(check, `${pluralize(known, 'landing app')}, and no lead waits`)];
};
