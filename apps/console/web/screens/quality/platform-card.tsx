import type { PlatformQuality } from '../../../src/contract/quality.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { Platform } from '../../parts/platform.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { Reasons } from './reasons.tsx';
import { qualityTexts } from './texts.ts';

type Keys = PlatformQuality['keys'];

/** How many conversions carried each key by which the platform matches. */
const MatchKeys = ({ keys }: { readonly keys: Keys }) => {
  const texts = useTexts(qualityTexts);
  const format = useFormat();
  if (keys.length === 0) return <p className={styles.none}>{texts.noKeys}</p>;
  return (
    <ul className={styles.keys}>
      {keys.map(({ key, share }) => (
        <li key={key}>
          <span>
            {texts.keys[key]} {texts.keys[key].toLowerCase() !== key && <code>{key}</code>}
          </span>
          <ShareBar
            shares={[
              { key: 'good', value: share },
              { key: 'none', value: 1 - share },
            ]}
          />
          <strong>{format.percent(share)}</strong>
        </li>
      ))}
    </ul>
  );
};

const Advice = ({ advice }: Pick<PlatformQuality, 'advice'>) => {
  const texts = useTexts(qualityTexts);
  const format = useFormat();
  if (advice.length === 0) return <p className={styles.none}>{texts.noAdvice}</p>;
  return (
    <ol className={styles.advice}>
      {advice.map(({ name, affects }) => (
        <li key={name}>
          <strong>{texts.advice[name].title}</strong>
          <p>{texts.advice[name].text}</p>
          <p className={styles.affects}>{texts.affects(format.percent(affects))}</p>
        </li>
      ))}
    </ol>
  );
};

export const PlatformCard = ({ quality }: { readonly quality: PlatformQuality }) => {
  const texts = useTexts(qualityTexts);
  const format = useFormat();
  const { platform, conversions, delivered, skipped, failed, keys, advice } = quality;
  const share = format.percent(conversions === 0 ? 0 : delivered / conversions);
  return (
    <Card
      title={<Platform name={platform} />}
      tools={<span>{texts.delivered(format.count(delivered), format.count(conversions), share)}</span>}
    >
      <div className={styles.parts}>
        <section>
          <h3>{texts.matchedBy}</h3>
          <MatchKeys keys={keys} />
        </section>
        <section>
          <h3>{texts.improve}</h3>
          <Advice advice={advice} />
        </section>
        {skipped.length + failed.length > 0 && (
          <section className={styles.wide}>
            <h3>{texts.undelivered}</h3>
            <Reasons platform={platform} skipped={skipped} failed={failed} />
          </section>
        )}
      </div>
    </Card>
  );
};
