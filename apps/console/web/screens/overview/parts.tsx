import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Measures, OverviewInput, OverviewReply } from '../../../src/contract/results.ts';
import { useApi } from '../../api.ts';
import { classNames } from '../../parts/button.tsx';
import { Skeleton } from '../../parts/layout.tsx';
import type { ShownMeasure } from '../../search.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { overviewQuery } from './queries.ts';
import styles from './style.module.css';
import { overviewTexts } from './texts.ts';

const counts = ['leads', 'clients', 'conversions'] as const;

interface Revenues {
  readonly totals: Pick<Measures, 'revenue'>;
  readonly previous: Pick<Measures, 'revenue'>;
}

/** What can be shown: the revenue of each currency with sales, the account's main one first, and the funnel. */
export const measuresOf = ({ totals, previous }: Revenues): readonly ShownMeasure[] => {
  const currencies = new Set([...totals.revenue, ...previous.revenue].map(({ currency }) => currency));
  return [...[...currencies].map((currency): ShownMeasure => `revenue.${currency}`), ...counts];
};

const currencyOf = (measure: ShownMeasure): string | undefined => measure.split('.')[1];

export const valueOf = (measures: Measures, measure: ShownMeasure): number => {
  const count = counts.find((name) => name === measure);
  if (count) return measures[count];
  const currency = currencyOf(measure);
  return Number(measures.revenue.find((money) => money.currency === currency)?.amount ?? 0);
};

/** By how much of the value before it changed; undefined if that was nothing. */
const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;

/** The step of the funnel before, of which a measure is a share. */
const stepBefore: Readonly<Partial<Record<ShownMeasure, 'leads' | 'clients'>>> = {
  clients: 'leads',
  conversions: 'clients',
};

interface MeasureWords {
  readonly title: (measure: ShownMeasure) => string;
  readonly value: (measure: ShownMeasure, value: number) => string;
  /** Below its title, which names the currency. */
  readonly bare: (measure: ShownMeasure, value: number) => string;
}

/** How measures are called and written. */
export const useMeasureWords = (): MeasureWords => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  return {
    title: (measure) => {
      if (measure === 'leads' || measure === 'clients' || measure === 'conversions') return texts.measures[measure];
      return texts.revenue(currencyOf(measure) ?? '');
    },
    value: (measure, value) => {
      const currency = currencyOf(measure);
      return currency === undefined ? format.count(value) : format.money(value, currency);
    },
    bare: (measure, value) => {
      const currency = currencyOf(measure);
      return currency === undefined ? format.count(value) : format.amount(value, currency);
    },
  };
};

interface MeasureProps {
  readonly overview: OverviewReply;
  readonly measure: ShownMeasure;
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

/** Which share of the step before it is, or how many of each; for revenue, what was refunded. */
const Note = ({ overview: { totals }, measure }: MeasureProps) => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const step = stepBefore[measure];
  const refunded = totals.refunded.find(({ currency }) => currency === currencyOf(measure));
  if (refunded) return texts.refunded(format.money(refunded.amount, refunded.currency));
  if (step === undefined || totals[step] === 0) return null;
  const share = valueOf(totals, measure) / totals[step];
  // several of one: no share of a whole
  return share > 1 ? texts.perOne[step](format.decimal(share)) : texts.shareOf[step](format.percent(share));
};

/** The totals; each chooses what the chart shows. */
export const MeasureTabs = ({ overview }: { readonly overview: OverviewReply }) => {
  const words = useMeasureWords();
  return (
    <ul className={styles.measures}>
      {measuresOf(overview).map((measure) => (
        <li key={measure} data-kind={currencyOf(measure) === undefined ? 'count' : 'money'}>
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

const loadChart = () => import('../../charts/day-chart.tsx');
// while the data are on their way; if it fails, it is loaded again to be shown
loadChart().catch(() => undefined);
const DayChart = lazy(async () => ({ default: (await loadChart()).DayChart }));

interface DayTrendProps {
  readonly overview: OverviewReply;
  readonly question: Omit<OverviewInput, 'account' | 'by'>;
  readonly measure: ShownMeasure;
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
