import { adQueries, supportedPlatforms } from '@leadback/domain/connection';
import { useQuery } from '@tanstack/react-query';
import type { Page } from '../../../src/contract/pages.ts';
import { useApi } from '../../api.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Card } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { unusableClicksQuery } from './queries.ts';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

/** How many clicks came with something that is no click id, and why. */
const UnusableClicks = ({ page }: { readonly page: Page }) => {
  const texts = useTexts(pagesTexts).adUrls;
  const format = useFormat();
  const { data, error, refetch } = useQuery(unusableClicksQuery(useApi(), useAccountId(), page.id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.items.length === 0) return <p className="small">{texts.noneUnusable}</p>;
  return (
    <>
      <p role="status">
        <strong>{texts.unusable}</strong> {texts.howToFix}
      </p>
      <ul className={styles.unusable}>
        {data.items.map(({ parameter, reason, clicks }) => (
          <li key={`${parameter} ${reason}`}>
            <code>{parameter}</code>: {texts.clicks(clicks, format.count(clicks))} · {texts.reasons[reason]}
          </li>
        ))}
      </ul>
    </>
  );
};

/** The URLs of a page for the ads of each platform, and what came of those that are in use. */
export const AdUrls = ({ page }: { readonly page: Page }) => {
  const texts = useTexts(pagesTexts).adUrls;
  return (
    <Card title={texts.title}>
      <div className={styles.adUrlsBody}>
        <UnusableClicks page={page} />
        <p className="small">{texts.intro}</p>
        <dl className={styles.adUrls}>
          {supportedPlatforms.map(({ name, title }) => {
            const url = `${page.url}?${adQueries[name]}`;
            return (
              <div key={name}>
                <dt>
                  {title} <CopyButton text={url} what={title} />
                </dt>
                <dd>
                  <code>{url}</code>
                  <small>{texts.clickIds[name]}</small>
                </dd>
              </div>
            );
          })}
        </dl>
        <p className="small">{texts.unverified}</p>
      </div>
    </Card>
  );
};
