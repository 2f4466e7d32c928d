import type { CountErasureReply } from '../../../src/contract/erasures.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { erasureTexts } from './texts.ts';

interface CountedPersonProps {
  readonly counted: CountErasureReply;
  readonly onErase: () => void;
}

const isAnyone = ({ liveClients, testClients, leads, importedRows }: CountErasureReply): boolean =>
  importedRows === null || liveClients + testClients + leads + importedRows > 0;

interface CountsProps {
  readonly title: string;
  readonly counts: readonly (readonly [name: string, count: number | null])[];
}

const Counts = ({ title, counts }: CountsProps) => {
  const texts = useTexts(erasureTexts);
  const format = useFormat();
  return (
    <section>
      <h3>{title}</h3>
      <dl className={styles.counts}>
        {counts.map(([name, count]) => (
          <div key={name} className={styles.count}>
            <dt>{name}</dt>
            <dd>{count === null ? texts.countedLater : format.count(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

export const CountedPerson = ({ counted, onErase }: CountedPersonProps) => {
  const texts = useTexts(erasureTexts);
  if (!isAnyone(counted)) {
    return (
      <div role="status" className={styles.result}>
        <Empty icon="person" title={texts.nobodyTitle}>
          {texts.nobody}
        </Empty>
      </div>
    );
  }
  const { liveClients, testClients, leads, importedRows, conversions, pendingFeedback } = counted;
  return (
    <div role="status" className={styles.result}>
      <div className={styles.columns}>
        <Counts
          title={texts.erased}
          counts={[
            [texts.liveClients, liveClients],
            [texts.testClients, testClients],
            [texts.leads, leads],
            [texts.importedRows, importedRows],
          ]}
        />
        <Counts
          title={texts.stays}
          counts={[
            [texts.conversions, conversions],
            [texts.pendingFeedback, pendingFeedback],
          ]}
        />
      </div>
      <div className={styles.foot}>
        <p>{texts.elsewhere}</p>
        <Button look="primary" onClick={onErase}>
          {texts.erase}
        </Button>
      </div>
    </div>
  );
};
