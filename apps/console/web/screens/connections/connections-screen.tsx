import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { ConnectionTable } from './connection-table.tsx';
import { connectionsQuery } from './queries.ts';
import { Rejected } from './rejected.tsx';
import { connectionTexts } from './texts.ts';

/** Are all platforms told? */
export const ConnectionsScreen = () => {
  const texts = useTexts(connectionTexts);
  const navigate = useNavigate();
  const account = useAccountId();
  const query = useQuery(connectionsQuery(useApi(), account));
  const mayConnect = useMay('manage-connections');
  const connect = mayConnect && (
    <Button
      look="primary"
      icon="plus"
      onClick={() => void navigate({ to: '/a/$account/connections/new', params: { account } })}
    >
      {texts.connect}
    </Button>
  );
  const hasSome = query.data !== undefined && query.data.items.length > 0;
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {hasSome && connect}
      </ScreenHead>
      <Loaded query={query} lines={6}>
        {({ items }) => (
          <>
            {items
              .filter(({ state }) => state === 'needs_attention')
              .map((connection) => (
                <Rejected key={connection.id} connection={connection} />
              ))}
            <Card>
              {items.length === 0 ? (
                <Empty icon="connections" title={texts.emptyTitle} action={connect}>
                  {mayConnect ? texts.empty : texts.emptyMayNot}
                </Empty>
              ) : (
                <ConnectionTable connections={items} />
              )}
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
};
