import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../../src/contract/accounts.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FindField } from '../../parts/find-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { showToast } from '../../parts/toast.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { type AccountAction, AccountTable } from './account-table.tsx';
import styles from './style.module.css';
import { ChangeDialog } from './change-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { accountsQuery, activateAccount } from './queries.ts';
import { SuspendDialog } from './suspend-dialog.tsx';
import { accountsTexts } from './texts.ts';
import { useAccountAction } from './use-account-action.ts';

const route = getRouteApi('/signed-in/across/accounts');

/** Which advertisers are there? */
export const AccountsScreen = () => {
  const texts = useTexts(accountsTexts);
  const format = useFormat();
  const { find } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(accountsQuery(useApi(), find));
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly account: Account; readonly action: 'change' | 'suspend' }>();
  const activate = useAccountAction<number>(
    (api, id) => activateAccount(api, id),
    ({ name }) => showToast(texts.activated(name)),
  );
  const act = (account: Account, action: AccountAction) =>
    action === 'activate' ? activate.mutate(account.id) : setChosen({ account, action });
  const close = () => setChosen(undefined);
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {create}
      </ScreenHead>
      <FindField
        label={texts.find}
        value={find}
        onFind={(text) => void navigate({ to: '/accounts', search: { find: text }, replace: true, resetScroll: false })}
      />
      {activate.error && <Failure error={activate.error} />}
      <Card>
        <Loaded query={query} lines={8}>
          {({ items, isPartial }) => (
            <>
              {items.length === 0 ? (
                <Empty icon="account" title={find === undefined ? texts.emptyTitle : texts.nothingTitle}>
                  {find === undefined ? texts.empty : texts.nothing}
                </Empty>
              ) : (
                <AccountTable accounts={items} isStale={query.isPlaceholderData} onAct={act} />
              )}
              {isPartial && <p className={styles.note}>{texts.partial(format.count(items.length))}</p>}
            </>
          )}
        </Loaded>
      </Card>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {chosen?.action === 'change' && <ChangeDialog account={chosen.account} onClose={close} />}
      {chosen?.action === 'suspend' && <SuspendDialog account={chosen.account} onClose={close} />}
    </>
  );
};
