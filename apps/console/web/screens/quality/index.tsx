import { platformOfClick } from '@leadback/domain/connection';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { PlatformQuality, QualityReply } from '../../../src/contract/results.ts';
import { type Api, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Platform } from '../../parts/platform.tsx';
import { ReasonTitle, ReasonWords } from '../../reason/reason.tsx';
import { Badge, ShareBar } from '../../parts/values.tsx';
import { type DayRange, daysOf, searchOf } from '../../range/range.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { useAccountId, useTimeZone } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { qualityTexts } from './texts.ts';

/** Why conversions were not delivered, most of them first; each leads to its deliveries. */
const Reasons = ({ platform, skipped, failed }: Pick<PlatformQuality, 'platform' | 'skipped' | 'failed'>) => {
  const texts = useTexts(qualityTexts);
  const format = useFormat();
  const account = useAccountId();
  const all = [
    ...skipped.map((one) => ({ ...one, state: 'skipped' as const, tone: 'warn' as const })),
    ...failed.map((one) => ({ ...one, state: 'failed' as const, tone: 'bad' as const })),
  ].toSorted((one, other) => other.deliveries - one.deliveries);
  return (
    <ul className={styles.reasons}>
      {all.map(({ state, tone, code, deliveries }) => (
        <li key={`${state} ${code}`}>
          <p className={styles.reason}>
            <strong>{format.count(deliveries)}</strong>
            <Badge tone={tone}>{texts.states[state]}</Badge>
            <Link
              to="/a/$account/deliveries"
              params={{ account }}
              search={{ platform, state, code: code === 'other' ? undefined : code }}
            >
              {code === 'other' ? texts.otherReasons : <ReasonTitle code={code} platform={platform} />}
            </Link>
          </p>
          <ReasonWords code={code} platform={platform} className={styles.meaning} />
        </li>
      ))}
    </ul>
  );
};

type Keys = PlatformQuality['keys'];

/** How many conversions carried each key by which the platform matches. */
const MatchKeys = ({ keys }: { readonly keys: Keys }) => {
  const texts = useTexts(qualityTexts);
  const names: Readonly<Partial<Record<Keys[number]['key'], string>>> = texts.keys;
  const textOf = (key: Keys[number]['key']) => names[key] ?? texts.click(platformOfClick(key)?.brand ?? key);
  const format = useFormat();
  if (keys.length === 0) return <p className="soft">{texts.noKeys}</p>;
  return (
    <ul className={styles.keys}>
      {keys.map(({ key, share }) => (
        <li key={key}>
          <span>
            {textOf(key)} {textOf(key).toLowerCase() !== key && <code>{key}</code>}
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
  if (advice.length === 0) return <p className="soft">{texts.noAdvice}</p>;
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

const PlatformCard = ({ quality }: { readonly quality: PlatformQuality }) => {
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

const qualityQuery = (api: Api, account: string, { from, to }: DayRange) =>
  queryOptions({
    queryKey: ['quality', account, { from, to }],
    queryFn: ({ signal }) => api.get<QualityReply>(`/api/accounts/${account}/quality`, { from, to }, signal),
    placeholderData: keepPreviousData,
  });

const Funnels = lazy(async () => ({ default: (await import('./funnel.tsx')).Funnels }));

const route = getRouteApi('/signed-in/a/$account/quality');

/** By what could platforms match the sales, and what would help? */
export const QualityScreen = () => {
  const texts = useTexts(qualityTexts);
  const api = useApi();
  const account = useAccountId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const days = daysOf(search, useTimeZone());
  const query = useQuery(qualityQuery(api, account, days));
  const change = (range: typeof search) => void navigate({ search: range, resetScroll: false });
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        <RangePicker value={search} onChange={change} />
      </ScreenHead>
      <Suspense>
        <Funnels days={days} />
      </Suspense>
      <Loaded query={query} lines={8}>
        {({ platforms }) =>
          platforms.length === 0 ? (
            <Card>
              <Empty
                icon="quality"
                title={texts.emptyTitle}
                action={<Button onClick={() => change(searchOf('90d'))}>{texts.emptyAction}</Button>}
              >
                {texts.empty}
              </Empty>
            </Card>
          ) : (
            platforms.map((quality) => <PlatformCard key={quality.platform} quality={quality} />)
          )
        }
      </Loaded>
    </>
  );
};
