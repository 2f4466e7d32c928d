import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FunnelsReply, ShownFunnel, ShownFunnelStep } from '../../../src/contract/results.ts';
import { type Api, useApi } from '../../api.ts';
import { Card, Loaded } from '../../parts/layout.tsx';
import { calledAs, Platform } from '../../parts/platform.tsx';
import { ReasonTitle, ReasonWords } from '../../reason/reason.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Amounts, ShareBar } from '../../parts/values.tsx';
import type { DayRange } from '../../range/range.ts';
import type { DeliveriesSearch } from '../../search.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { funnelTexts } from './funnel-texts.ts';

const steps: readonly ShownFunnelStep[] = ['registered', 'eligible', 'sent', 'accepted', 'processed'];

type Day = ShownFunnel['days'][number];
type Loss = ShownFunnel['total']['losses'][number];

/** The deliveries that a step lost; undefined: their list has no such filter. */
const stateOf = ({ step, reason }: Pick<Loss, 'step' | 'reason'>): DeliveriesSearch['state'] => {
  if (step === 'eligible') return 'skipped';
  if (step === 'sent') return 'pending';
  if (step === 'accepted') return 'failed';
  if (reason === 'event_too_old') return 'skipped';
  return reason === 'not_reported' || reason === 'not_reported_yet' ? 'delivered' : 'failed';
};

const searchFor = (connection: number, loss: Pick<Loss, 'step' | 'reason'>): DeliveriesSearch => {
  const state = stateOf(loss);
  const hasCode = (state === 'failed' || state === 'skipped') && loss.reason !== 'other';
  return { connection, state, code: hasCode ? loss.reason : undefined };
};

interface LossesProps {
  readonly connection: number;
  readonly platform: ShownFunnel['platform'];
  readonly losses: readonly Loss[];
}

/** Why conversions did not reach a step, and what to do; each leads to its deliveries. */
const Losses = ({ connection, platform, losses }: LossesProps) => {
  const texts = useTexts(funnelTexts);
  const format = useFormat();
  const account = useAccountId();
  return (
    <ul className={styles.losses}>
      {losses.map((loss) => (
        <li key={loss.reason}>
          <p className={styles.reason}>
            <strong>−{format.count(loss.conversions)}</strong>
            <Link to="/a/$account/deliveries" params={{ account }} search={searchFor(connection, loss)}>
              {loss.reason === 'other' ? texts.otherReasons : <ReasonTitle code={loss.reason} platform={platform} />}
            </Link>
            <Amounts money={loss.money} />
          </p>
          <ReasonWords code={loss.reason} platform={platform} className={styles.meaning} />
        </li>
      ))}
    </ul>
  );
};

const Steps = ({ connectionId, platform, total }: Pick<ShownFunnel, 'connectionId' | 'platform' | 'total'>) => {
  const texts = useTexts(funnelTexts);
  const format = useFormat();
  const all = total.registered.conversions;
  return (
    <ol className={styles.steps}>
      {steps.map((step) => {
        const reached = total[step];
        if (reached === null) return null;
        const losses = total.losses.filter((loss) => loss.step === step);
        return (
          <li key={step}>
            {losses.length > 0 && <Losses connection={connectionId} platform={platform} losses={losses} />}
            <div className={styles.step}>
              <span className={styles.stepName}>
                {texts.steps[step].title}
                <small>{texts.steps[step].text}</small>
              </span>
              <ShareBar
                shares={[
                  { key: 'good', value: reached.conversions },
                  { key: 'none', value: all - reached.conversions },
                ]}
              />
              <strong>{format.count(reached.conversions)}</strong>
              <Amounts money={reached.money} />
            </div>
          </li>
        );
      })}
    </ol>
  );
};

const lostAt = ({ losses }: Day, ...at: readonly ShownFunnelStep[]) =>
  losses.reduce((sum, { step, conversions }) => (at.includes(step) ? sum + conversions : sum), 0);

/** A day in one bar: what came through, what was lost at the platform, what waits, and what it was not told. */
const DayBar = ({ day }: { readonly day: Day }) => {
  const bad = day.losses.filter(({ step, reason }) => stateOf({ step, reason }) === 'failed');
  const failed = bad.reduce((sum, { conversions }) => sum + conversions, 0);
  const untold = lostAt(day, 'eligible');
  const last = (day.processed ?? day.accepted).conversions;
  return (
    <ShareBar
      shares={[
        { key: 'good', value: last },
        { key: 'bad', value: failed },
        { key: 'plain', value: day.registered.conversions - last - failed - untold },
        { key: 'warn', value: untold },
      ]}
    />
  );
};

const Days = ({ days, total }: Pick<ShownFunnel, 'days' | 'total'>) => {
  const texts = useTexts(funnelTexts);
  const format = useFormat();
  const columns: readonly Column<Day>[] = [
    { key: 'day', title: texts.day, isTitle: true, cell: ({ day }) => format.dayWithYear(day) },
    { key: 'bar', title: texts.share, cell: (day) => <DayBar day={day} /> },
    ...steps
      .filter((step) => total[step] !== null)
      .map(
        (step): Column<Day> => ({
          key: step,
          title: texts.steps[step].title,
          align: 'end',
          cell: (day) => format.count(day[step]?.conversions ?? 0),
        }),
      ),
    {
      key: 'lost',
      title: texts.mostLost,
      cell: ({ losses }) => {
        const [most] = losses.toSorted((one, other) => other.conversions - one.conversions);
        return most === undefined ? (
          '–'
        ) : (
          <span>
            {format.count(most.conversions)}{' '}
            {most.reason === 'other' ? texts.otherReasons : <ReasonTitle code={most.reason} />}
          </span>
        );
      },
    },
  ];
  return (
    <details className={styles.days}>
      <summary>{texts.byDay}</summary>
      <Table caption={texts.byDay} columns={columns} rows={days} keyOf={({ day }) => day} />
    </details>
  );
};

const FunnelCard = ({ funnel }: { readonly funnel: ShownFunnel }) => {
  const texts = useTexts(funnelTexts);
  const format = useFormat();
  const { platform, connectionId, isPartial, total, days } = funnel;
  const last = (total.processed ?? total.accepted).conversions;
  const ended = total.processed === null ? texts.acceptedOf : texts.processedOf;
  return (
    <Card
      title={
        <>
          <Platform name={platform} />{' '}
          <small>
            {calledAs(funnel)}
            {funnel.isConnectionDeleted && ` (${texts.deletedConnection})`}
          </small>
        </>
      }
      tools={<span>{ended(format.count(last), format.count(total.registered.conversions))}</span>}
    >
      <div className={styles.funnel}>
        <Steps connectionId={connectionId} platform={platform} total={total} />
        {total.processed === null && <p className="soft">{texts.neverReported}</p>}
        {isPartial && <p className="soft">{texts.partial}</p>}
        <Days days={days} total={total} />
      </div>
    </Card>
  );
};

const funnelsQuery = (api: Api, account: string, { from, to }: DayRange) =>
  queryOptions({
    queryKey: ['funnels', account, { from, to }],
    queryFn: ({ signal }) => api.get<FunnelsReply>(`/api/accounts/${account}/funnels`, { from, to }, signal),
    placeholderData: keepPreviousData,
  });

/** How far did the sales come, with each connection? */
export const Funnels = ({ days }: { readonly days: DayRange }) => {
  const texts = useTexts(funnelTexts);
  const format = useFormat();
  const api = useApi();
  const account = useAccountId();
  const query = useQuery(funnelsQuery(api, account, days));
  return (
    <Loaded query={query} lines={6}>
      {({ from, connections }) => {
        const shown = connections.filter(({ total }) => total.registered.conversions > 0);
        if (shown.length === 0) return null;
        return (
          <section className={styles.funnels} aria-labelledby="funnels">
            <div>
              <h2 id="funnels">{texts.title}</h2>
              <p className="soft">
                {texts.intro} {from > days.from && texts.since(format.dayWithYear(from))}
              </p>
            </div>
            {shown.map((funnel) => (
              <FunnelCard key={funnel.connectionId} funnel={funnel} />
            ))}
          </section>
        );
      }}
    </Loaded>
  );
};
