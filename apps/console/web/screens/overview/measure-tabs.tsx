import { Link } from '@tanstack/react-router';
import type { OverviewReply } from '../../../src/contract/overview.ts';
import { classNames } from '../../parts/class-names.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { useMeasureWords } from './measure-words.ts';
import { changeOf, currencyOf, measuresOf, stepBefore, valueOf } from './measures.ts';
import type { Measure } from './search.ts';
import { overviewTexts } from './texts.ts';

interface MeasureProps {
  readonly overview: OverviewReply;
  readonly measure: Measure;
}

const Change = ({ overview: { totals, previous }, measure }: MeasureProps) => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const change = changeOf(valueOf(totals, measure), valueOf(previous, measure));
  if (change === undefined) return <span className={styles.change}>{texts.noneBefore}</span>;
  return (
    <span className={classNames(styles.change, change > 0 && styles.up, change < 0 && styles.down)}>
      {format.change(change)}
    </span>
  );
};

/** Of which share of the step before it is; for revenue, what was refunded. */
const Note = ({ overview: { totals }, measure }: MeasureProps) => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const step = stepBefore[measure];
  const refunded = totals.refunded.find(({ currency }) => currency === currencyOf(measure));
  if (refunded) return texts.refunded(format.money(refunded.amount, refunded.currency));
  if (step === undefined || totals[step] === 0) return null;
  return texts.shareOf[step](format.percent(valueOf(totals, measure) / totals[step]));
};

/** The totals; each chooses what the chart shows. */
export const MeasureTabs = ({ overview }: { readonly overview: OverviewReply }) => {
  const words = useMeasureWords();
  return (
    <ul className={styles.measures}>
      {measuresOf(overview).map((measure) => (
        <li key={measure}>
          <Link
            from="/a/$account/overview"
            to="."
            search={(search) => ({ ...search, show: measure === 'leads' ? undefined : measure })}
            replace
            resetScroll={false}
            className={styles.measure}
            activeOptions={{ exact: true }}
          >
            <span className={styles.title}>{words.title(measure)}</span>
            <strong className={styles.value}>{words.bare(measure, valueOf(overview.totals, measure))}</strong>
            <span className={styles.notes}>
              <Change overview={overview} measure={measure} />
              <span>
                <Note overview={overview} measure={measure} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
};
