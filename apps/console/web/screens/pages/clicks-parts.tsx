import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ArrivalsReply } from '../../../src/contract/pages.ts';
import { type Api, useApi } from '../../api.ts';
import { Icon } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Card } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notices.tsx';
import { platformNamed } from '@leadback/domain/connection';
import { Time } from '../../parts/values.tsx';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './clicks.module.css';
import { clicksTexts } from './clicks-texts.ts';

/** Something to copy into another program. */
export const Copied = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div className={styles.copied}>
    <pre>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} what={what} />
  </div>
);

/** The guide of all ways, where the API is known. */
export const GuideLink = ({ apiUrl }: { readonly apiUrl: string | null }) => {
  const texts = useTexts(clicksTexts);
  if (apiUrl === null) return null;
  return (
    <a className={styles.guide} href={new URL('/docs/clicks', apiUrl).href} target="_blank" rel="noreferrer">
      {texts.guide}
      <Icon name="external" />
    </a>
  );
};

const awaitedMs = 5_000;
const laterMs = 30_000;

const hasArrived = ({ last, leads }: ArrivalsReply): boolean => last !== null || leads > 0;

/** Asked again until a click arrives, and then more seldom. */
const arrivalsQuery = (api: Api, path: string) =>
  queryOptions({
    queryKey: ['arrivals', path],
    queryFn: ({ signal }) => api.get<ArrivalsReply>(path, {}, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && hasArrived(data) ? laterMs : awaitedMs),
  });

const sourceOf = ({ platform, source }: NonNullable<ArrivalsReply['last']>): string | null =>
  platform === null ? source : (platformNamed(platform)?.title ?? platform);

const LastClick = ({ last }: { readonly last: NonNullable<ArrivalsReply['last']> }) => {
  const texts = useTexts(clicksTexts).arrivals;
  const { at, campaign, isTest } = last;
  return (
    <>
      <p>
        {texts.last}: <Time at={at} />, {texts.from(sourceOf(last) ?? texts.unknown)}
        {campaign !== null && ` · ${texts.campaign(campaign)}`}
      </p>
      {isTest && <p className="small">{texts.isTest}</p>}
    </>
  );
};

interface ArrivalsProps {
  /** Which clicks. */
  readonly path: string;
  /** What to look at if none arrives. */
  readonly hints: readonly string[];
  /** How to make one. */
  readonly children?: ReactNode;
}

/** Waits for the first click, and shows it as soon as it is there. */
export const Arrivals = ({ path, hints, children }: ArrivalsProps) => {
  const texts = useTexts(clicksTexts).arrivals;
  const format = useFormat();
  const { data, error, refetch } = useQuery(arrivalsQuery(useApi(), path));
  const isThere = data !== undefined && hasArrived(data);
  return (
    <Card title={texts.title}>
      <div className={styles.body}>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        <div className={styles.arrivals} data-arrived={isThere} role="status">
          <span className={styles.mark} aria-hidden="true">
            {isThere && <Icon name="check" />}
          </span>
          <div>
            <strong>{isThere ? texts.arrived : texts.waiting}</strong>
            {data?.last && <LastClick last={data.last} />}
            {isThere && data.leads > 0 && <p className="small">{texts.leads(format.count(data.leads))}</p>}
            {!isThere && <p className="small">{texts.waitingText}</p>}
          </div>
        </div>
        {children}
        {!isThere && (
          <details className={styles.hints}>
            <summary>{texts.none}</summary>
            <ul>
              {hints.map((hint) => (
                <li key={hint}>{hint}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Card>
  );
};
