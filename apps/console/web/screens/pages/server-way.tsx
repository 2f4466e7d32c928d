import { Link } from '@tanstack/react-router';
import { useMay } from '../../api.ts';
import { Card } from '../../parts/layout.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './clicks.module.css';
import { Arrivals, Copied, GuideLink } from './clicks-parts.tsx';
import { clicksTexts } from './clicks-texts.ts';
import { serverArrivalsPath } from './queries.ts';

const sampleOf = (apiUrl: string): string =>
  [
    `curl ${new URL('/api/v1/lead', apiUrl).href} \\`,
    `  -H 'x-api-key: lb_test_…' -H 'content-type: application/json' \\`,
    `  -d '{"url": "https://www.shop.example/?utm_source=test&utm_campaign=first-try",`,
    `       "ip": "203.0.113.7", "userAgent": "Mozilla/5.0", "cookies": {}}'`,
  ].join('\n');

/** How the advertiser's own server reports clicks. */
export const ServerWay = ({ apiUrl }: { readonly apiUrl: string | null }) => {
  const texts = useTexts(clicksTexts).server;
  const account = useAccountId();
  const mayIssue = useMay('manage-keys');
  return (
    <>
      <Card title={texts.request} tools={<GuideLink apiUrl={apiUrl} />}>
        <div className={styles.body}>
          <p>{texts.requestText}</p>
          <Copied text={sampleOf(apiUrl ?? 'https://api.example')} what={texts.request} />
          <p>
            {texts.key}{' '}
            {mayIssue && (
              <Link to="/a/$account/keys" params={{ account }}>
                {texts.keys}
              </Link>
            )}
          </p>
          <p className="small">{texts.sdks}</p>
        </div>
      </Card>
      <Arrivals path={serverArrivalsPath(account)} hints={texts.none} />
    </>
  );
};
