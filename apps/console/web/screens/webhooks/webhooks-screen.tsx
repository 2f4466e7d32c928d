import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { AddWebhook } from './add-webhook.tsx';
import { webhooksQuery } from './queries.ts';
import { webhooksTexts } from './texts.ts';
import { WebhookTable } from './webhook-table.tsx';

/** Who is told what happened to each sale? */
export const WebhooksScreen = () => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const account = useAccountId();
  const mayManage = useMay('manage-webhooks');
  const query = useQuery(webhooksQuery(api, account));
  const [isAdding, setAdding] = useState(false);
  const add = mayManage && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {query.data !== undefined && query.data.items.length > 0 && add}
      </ScreenHead>
      <Card>
        <Loaded query={query} lines={4}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="webhooks" title={texts.emptyTitle} action={add}>
                {mayManage ? texts.empty : texts.emptyForReaders}
              </Empty>
            ) : (
              <WebhookTable webhooks={items} />
            )
          }
        </Loaded>
      </Card>
      {isAdding && <AddWebhook onClose={() => setAdding(false)} />}
    </>
  );
};
