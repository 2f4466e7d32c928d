import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { OverviewInput, OverviewReply } from '../../../src/contract/overview.ts';
import { useApi } from '../../api/use-api.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { useMeasureWords } from './measure-words.ts';
import { valueOf } from './measures.ts';
import styles from './style.module.css';
import { overviewQuery } from './queries.ts';
import type { Measure } from './search.ts';
import { overviewTexts } from './texts.ts';

const loadChart = () => import('../../charts/day-chart.tsx');
// while the data are on their way; if it fails, it is loaded again to be shown
loadChart().catch(() => undefined);
const DayChart = lazy(async () => ({ default: (await loadChart()).DayChart }));

interface DayTrendProps {
  readonly overview: OverviewReply;
  readonly question: Omit<OverviewInput, 'account' | 'by'>;
  readonly measure: Measure;
}

/** A measure by day, with the same days of the period before. */
export const DayTrend = ({ overview, question, measure }: DayTrendProps) => {
  const texts = useTexts(overviewTexts);
  const words = useMeasureWords();
  const format = useFormat();
  const api = useApi();
  const { range, previousRange, rows } = overview;
  const { data } = useQuery(overviewQuery(api, useAccountId(), { ...question, ...previousRange, by: 'day' }));
  const before = data?.range.from === previousRange.from ? data.rows : [];
  const written = ({ from, to }: { from: string; to: string }) =>
    from === to ? format.dayWithYear(from) : `${format.day(from)} – ${format.dayWithYear(to)}`;
  const points = rows.map(({ key, measures }, index) => ({
    day: key ?? '',
    value: valueOf(measures, measure),
    before: before[index] && valueOf(before[index].measures, measure),
  }));
  return (
    <div className={styles.trend}>
      <p className={styles.legend}>
        <span className={styles.now}>{texts.now(written(range))}</span>
        <span className={styles.before}>{texts.before(written(previousRange))}</span>
      </p>
      <Suspense fallback={<Skeleton />}>
        <DayChart
          title={texts.byDay(words.title(measure))}
          points={points}
          day={format.day}
          axis={format.compact}
          value={(value) => words.value(measure, value)}
          beforeTitle={texts.before('').trim()}
        />
      </Suspense>
    </div>
  );
};
