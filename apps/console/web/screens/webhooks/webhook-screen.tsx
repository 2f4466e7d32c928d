import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { useApi, useMay } from '../../api/use-api.ts';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { Log } from './log.tsx';
import { PauseNotice } from './pause-notice.tsx';
import { webhookQuery } from './queries.ts';
import { webhooksTexts } from './texts.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { hostOf } from './webhook-url.tsx';
import styles from './style.module.css';

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook');

/** One webhook: does it arrive, and what did the receiver respond? */
export const WebhookScreen = () => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const { account, webhook: id } = route.useParams();
  const mayManage = useMay('manage-webhooks');
  const query = useQuery(webhookQuery(api, account, id));
  return (
    <>
      <Link to="/a/$account/webhooks" params={{ account }} className={styles.back}>
        <Icon name="left" />
        {texts.title}
      </Link>
      <Loaded query={query} lines={8}>
        {(webhook) => (
          <>
            <ScreenHead title={hostOf(webhook.url)} intro={texts.webhook(id)}>
              {mayManage && <WebhookActions webhook={webhook} />}
            </ScreenHead>
            <PauseNotice webhook={webhook} />
            <WebhookFacts webhook={webhook} />
            <Log />
          </>
        )}
      </Loaded>
      <Outlet />
    </>
  );
};
