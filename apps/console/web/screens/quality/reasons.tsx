import { Link } from '@tanstack/react-router';
import type { PlatformQuality } from '../../../src/contract/quality.ts';
import { Badge } from '../../parts/badge.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { qualityTexts } from './texts.ts';

/** Why conversions were not delivered, most of them first; each leads to its deliveries. */
export const Reasons = ({ platform, skipped, failed }: Pick<PlatformQuality, 'platform' | 'skipped' | 'failed'>) => {
  const texts = useTexts(qualityTexts);
  const format = useFormat();
  const account = useAccountId();
  const all = [
    ...skipped.map((one) => ({ ...one, state: 'skipped' as const, tone: 'warn' as const })),
    ...failed.map((one) => ({ ...one, state: 'failed' as const, tone: 'bad' as const })),
  ].toSorted((one, other) => other.deliveries - one.deliveries);
  return (
    <ul className={styles.reasons}>
      {all.map(({ state, tone, code, deliveries, meaning, remedy }) => (
        <li key={`${state} ${code}`}>
          <p className={styles.reason}>
            <strong>{format.count(deliveries)}</strong>
            <Badge tone={tone}>{texts.states[state]}</Badge>
            <Link
              to="/a/$account/deliveries"
              params={{ account }}
              search={{ platform, state, code: code === 'other' ? undefined : code }}
            >
              {code === 'other' ? texts.otherReasons : <code>{code}</code>}
            </Link>
          </p>
          {meaning !== null && (
            <p lang="en" className={styles.meaning}>
              {meaning} {remedy}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
};
