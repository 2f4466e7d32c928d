import { Link } from '@tanstack/react-router';
import type { Delivery } from '../../../src/contract/deliveries.ts';
import { Platform } from '../../parts/platform.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { StateBadge } from '../deliveries/state-badge.tsx';
import styles from './style.module.css';
import { findTexts } from './texts.ts';

/** What each platform was told, with a link to its attempts. */
export const DeliveryLines = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) => {
  const texts = useTexts(findTexts);
  const account = useAccountId();
  if (deliveries.length === 0) return <p className={styles.none}>{texts.noDeliveries}</p>;
  return (
    <ul className={styles.deliveries} aria-label={texts.deliveries}>
      {deliveries.map(({ id, platform, state, code, reason, isTest, closedAt, createdAt, conversionId }) => (
        <li key={id} className={styles.delivery} data-row>
          <Link
            to="/a/$account/deliveries/$delivery"
            params={{ account, delivery: String(id) }}
            search={{ conversion: conversionId ?? undefined, test: isTest ? 'true' : undefined }}
            className={styles.platform}
            data-open
          >
            <Platform name={platform} />
          </Link>
          <StateBadge state={state} />
          {code !== null && <code title={reason ?? undefined}>{code}</code>}
          <span className={styles.when}>
            <Time at={closedAt ?? createdAt} look="ago" />
          </span>
        </li>
      ))}
    </ul>
  );
};
