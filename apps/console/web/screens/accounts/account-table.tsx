import { Link } from '@tanstack/react-router';
import type { Account } from '../../../src/contract/accounts.ts';
import { Badge } from '../../parts/badge.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { accountsTexts } from './texts.ts';

export type AccountAction = 'change' | 'suspend' | 'activate';

interface AccountTableProps {
  readonly accounts: readonly Account[];
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

export const AccountTable = ({ accounts, isStale, onAct }: AccountTableProps) => {
  const texts = useTexts(accountsTexts);
  const format = useFormat();
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
      cell: ({ status, hidesPages }) => (
        <Badge tone={status === 'active' ? 'good' : 'warn'}>
          {hidesPages ? texts.pagesHidden : texts.statuses[status]}
        </Badge>
      ),
    },
    { key: 'country', title: texts.columns.country, cell: ({ country }) => country },
    { key: 'rate', title: texts.columns.rate, align: 'end', cell: ({ rateLimit }) => format.count(rateLimit) },
    { key: 'gpc', title: texts.columns.gpc, cell: ({ gpc }) => texts.gpcNames[gpc] },
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
