import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RetryFilter, UndeliveredGroup } from '../../../src/contract/undelivered.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { GroupTable } from './group-table.tsx';
import { undeliveredQuery } from './queries.ts';
import { useGroupName } from './reason-words.tsx';
import { RetryDialog } from './retry-dialog.tsx';
import { Tasks } from './tasks.tsx';
import { undeliveredTexts } from './texts.ts';
import { Totals } from './totals.tsx';
import { Waiting } from './waiting.tsx';

interface Chosen {
  readonly scope: string;
  readonly filter: RetryFilter;
}

const filterOf = ({ connectionId, state, code }: UndeliveredGroup): RetryFilter => ({ connectionId, state, code });

/** What was lost, why, and how much money is it? */
export const UndeliveredScreen = () => {
  const texts = useTexts(undeliveredTexts);
  const api = useApi();
  const account = useAccountId();
  const mayRetry = useMay('retry');
  const nameOf = useGroupName();
  const query = useQuery(undeliveredQuery(api, account));
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro} />
      <Tasks key={account} />
      <Loaded query={query} lines={8}>
        {({ groups, waiting }) => (
          <>
            {groups.length === 0 ? (
              <Card>
                <Empty
                  icon="check"
                  title={texts.emptyTitle}
                  action={
                    <Link to="/a/$account/deliveries" params={{ account }}>
                      {texts.emptyAction}
                    </Link>
                  }
                >
                  {texts.empty}
                </Empty>
              </Card>
            ) : (
              <Card
                title={<Totals groups={groups} />}
                tools={
                  mayRetry ? (
                    <Button
                      icon="retry"
                      look="primary"
                      onClick={() => setChosen({ scope: texts.everything, filter: {} })}
                    >
                      {texts.retryAll}
                    </Button>
                  ) : (
                    texts.mayNotRetry
                  )
                }
              >
                <GroupTable
                  groups={groups}
                  onRetry={(group) => setChosen({ scope: nameOf(group), filter: filterOf(group) })}
                />
              </Card>
            )}
            <Waiting waiting={waiting} />
          </>
        )}
      </Loaded>
      {chosen && <RetryDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
};
