import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account, AccountFiguresReply } from '../../../src/contract/accounts.ts';
import { useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { FindField } from '../../parts/form.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { Empty, Failure, showToast } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Amounts, Badge, Time } from '../../parts/values.tsx';
import { useFormat, useTexts } from '../../text/language.tsx';
import {
  accountsQuery,
  activateAccount,
  ChangeDialog,
  CreateDialog,
  figuresQuery,
  SuspendDialog,
  useAccountAction,
} from './parts.tsx';
import styles from './style.module.css';
import { accountsTexts } from './texts.ts';

type AccountAction = 'change' | 'suspend' | 'activate';

interface AccountTableProps {
  readonly accounts: readonly Account[];
  /** Undefined: they are on their way. */
  readonly figures: AccountFiguresReply | undefined;
  readonly isStale: boolean;
  readonly onAct: (account: Account, action: AccountAction) => void;
}

const Actions = ({
  account,
  onAct,
}: {
  readonly account: Account;
  readonly onAct: (action: AccountAction) => void;
}) => {
  const texts = useTexts(accountsTexts);
  const actions = ['change', account.status === 'active' ? 'suspend' : 'activate'] as const;
  return (
    <Menu look="quiet" icon="dots" label="" name={texts.actionsOf(account.name)}>
      {(close) =>
        actions.map((action) => (
          <MenuItem
            key={action}
            onSelect={() => {
              close();
              onAct(action);
            }}
          >
            {texts[action]}
          </MenuItem>
        ))
      }
    </Menu>
  );
};

type Figures = AccountFiguresReply['items'][number];

/** What an account needs first; of one that needs nobody, whether it is active. */
const State = ({ account, figures }: { readonly account: Account; readonly figures: Figures | undefined }) => {
  const texts = useTexts(accountsTexts);
  const { status, hidesPages } = account;
  if (status === 'suspended')
    return <Badge tone="plain">{hidesPages ? texts.pagesHidden : texts.statuses.suspended}</Badge>;
  if (figures !== undefined) {
    if (figures.rejected > 0) return <Badge tone="bad">{texts.states.rejected}</Badge>;
    if (figures.paused > 0) return <Badge tone="warn">{texts.states.paused}</Badge>;
    if (figures.hasUntold) return <Badge tone="warn">{texts.states.untold}</Badge>;
    if (!figures.isConnected) return <Badge tone="plain">{texts.states.notConnected}</Badge>;
  }
  return <Badge tone="good">{texts.statuses.active}</Badge>;
};

const Revenue = ({ figures }: { readonly figures: Figures | undefined }) => {
  const texts = useTexts(accountsTexts);
  if (figures === undefined || figures.revenue.length === 0) return '–';
  return (
    <span>
      {figures.isRevenuePartial && `${texts.atLeast} `}
      <Amounts money={figures.revenue} />
    </span>
  );
};

/** With a link to what somebody can do about it. */
const Undelivered = ({ figures }: { readonly figures: Figures | undefined }) => {
  const format = useFormat();
  if (figures === undefined) return '–';
  const { id, undelivered, isUndeliveredPartial } = figures;
  if (undelivered === 0) return format.count(0);
  return (
    <Link to="/a/$account/undelivered" params={{ account: String(id) }}>
      {format.count(undelivered)}
      {isUndeliveredPartial && '+'}
    </Link>
  );
};

const AccountTable = ({ accounts, figures, isStale, onAct }: AccountTableProps) => {
  const texts = useTexts(accountsTexts);
  const known = new Map(figures?.items.map((one) => [one.id, one]));
  const columns: readonly Column<Account>[] = [
    {
      key: 'name',
      title: texts.columns.name,
      isTitle: true,
      cell: ({ id, name }) => (
        <Link className={styles.name} to="/a/$account/overview" params={{ account: String(id) }} data-open>
          {name}
        </Link>
      ),
    },
    {
      key: 'status',
      title: texts.columns.status,
      cell: (account) => <State account={account} figures={known.get(account.id)} />,
    },
    {
      key: 'revenue',
      title: texts.columns.revenue,
      align: 'end',
      cell: ({ id }) => <Revenue figures={known.get(id)} />,
    },
    {
      key: 'undelivered',
      title: texts.columns.undelivered,
      align: 'end',
      cell: ({ id }) => <Undelivered figures={known.get(id)} />,
    },
    { key: 'country', title: texts.columns.country, cell: ({ country }) => country },
    {
      key: 'created',
      title: texts.columns.created,
      cell: ({ createdAt }) => <Time at={createdAt} look="ago" />,
    },
    {
      key: 'action',
      title: texts.columns.action,
      align: 'end',
      cell: (account) => <Actions account={account} onAct={(action) => onAct(account, action)} />,
    },
  ];
  return <Table caption={texts.title} columns={columns} rows={accounts} keyOf={({ id }) => id} isStale={isStale} />;
};

const route = getRouteApi('/signed-in/across/accounts');

/** Which advertisers are there? */
export const AccountsScreen = () => {
  const texts = useTexts(accountsTexts);
  const format = useFormat();
  const { find } = route.useSearch();
  const navigate = route.useNavigate();
  const api = useApi();
  const query = useQuery(accountsQuery(api, find));
  const figures = useQuery(figuresQuery(api, find));
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly account: Account; readonly action: 'change' | 'suspend' }>();
  const activate = useAccountAction<number>(activateAccount, ({ name }) => showToast(texts.activated(name)));
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
      {figures.error && <Failure error={figures.error} onRetry={() => void figures.refetch()} />}
      <Card>
        <Loaded query={query} lines={8}>
          {({ items, isPartial }) => (
            <>
              {items.length === 0 ? (
                <Empty icon="account" title={find === undefined ? texts.emptyTitle : texts.nothingTitle}>
                  {find === undefined ? texts.empty : texts.nothing}
                </Empty>
              ) : (
                <AccountTable accounts={items} figures={figures.data} isStale={query.isPlaceholderData} onAct={act} />
              )}
              {isPartial && <p className="footnote">{texts.partial(format.count(items.length))}</p>}
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
