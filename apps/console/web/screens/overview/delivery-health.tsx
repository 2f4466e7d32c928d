import { Link } from '@tanstack/react-router';
import type { DeliveryCounts, OverviewReply } from '../../../src/contract/overview.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { Platform, type PlatformName } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { overviewTexts } from './texts.ts';

const states = [
  ['delivered', 'good'],
  ['pending', 'plain'],
  ['skipped', 'warn'],
  ['failed', 'bad'],
] as const;

interface PlatformHealthProps {
  readonly platform: PlatformName;
  readonly deliveries: DeliveryCounts;
}

const PlatformHealth = ({ platform, deliveries }: PlatformHealthProps) => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const account = useAccountId();
  const all = states.reduce((sum, [state]) => sum + deliveries[state], 0);
  return (
    <li className={styles.platform}>
      <p className={styles.head}>
        <Platform name={platform} />
        <strong>{format.percent(all === 0 ? 0 : deliveries.delivered / all)}</strong>
      </p>
      <ShareBar shares={states.map(([state, key]) => ({ key, value: deliveries[state] }))} />
      <ul className={styles.states}>
        {states.map(
          ([state]) =>
            deliveries[state] > 0 && (
              <li key={state}>
                <Link to="/a/$account/deliveries" params={{ account }} search={{ platform, state }}>
                  {texts[state]} {format.count(deliveries[state])}
                </Link>
              </li>
            ),
        )}
      </ul>
    </li>
  );
};

/** For each platform, how much of what was to be delivered was. */
export const DeliveryHealth = ({ platforms }: Pick<OverviewReply, 'platforms'>) => {
  const texts = useTexts(overviewTexts);
  const account = useAccountId();
  return (
    <Card
      title={texts.health}
      tools={
        <Link to="/a/$account/undelivered" params={{ account }}>
          {texts.seeLost}
        </Link>
      }
    >
      {platforms.length === 0 ? (
        <p className={styles.empty}>{texts.healthEmpty}</p>
      ) : (
        <ul className={styles.platforms}>
          {platforms.map((one) => (
            <PlatformHealth key={one.platform} {...one} />
          ))}
        </ul>
      )}
    </Card>
  );
};
