import type { Person } from '../../../src/contract/people.ts';
import { useSession } from '../../api/use-api.ts';
import { Badge } from '../../parts/badge.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { type PersonAction, PersonActions } from './person-actions.tsx';
import { PersonState } from './person-state.tsx';
import { peopleTexts } from './texts.ts';

interface PersonTableProps {
  readonly people: readonly Person[];
  readonly isStale: boolean;
  readonly onAct: (person: Person, action: PersonAction) => void;
}

const namedMax = 2;

const Accounts = ({ person: { role, accounts } }: { readonly person: Person }) => {
  const texts = useTexts(peopleTexts);
  const format = useFormat();
  if (role === 'admin' || role === 'operator') return texts.all;
  const others = accounts.slice(namedMax);
  const named = accounts.slice(0, namedMax).map(({ name }) => name);
  return (
    <span title={accounts.map(({ name }) => name).join(', ')}>
      {[...named, ...(others.length > 0 ? [texts.more(format.count(others.length))] : [])].join(', ')}
    </span>
  );
};

export const PersonTable = ({ people, isStale, onAct }: PersonTableProps) => {
  const texts = useTexts(peopleTexts);
  const roles = useTexts(shellTexts).roles;
  const own = useSession().person?.id;
  const columns: readonly Column<Person>[] = [
    {
      key: 'email',
      title: texts.columns.email,
      isTitle: true,
      cell: ({ id, email }) => (
        <span className={styles.person}>
          {email}
          {id === own && <Badge tone="accent">{texts.you}</Badge>}
        </span>
      ),
    },
    { key: 'role', title: texts.columns.role, cell: ({ role }) => roles[role] },
    { key: 'accounts', title: texts.columns.accounts, cell: (person) => <Accounts person={person} /> },
    { key: 'state', title: texts.columns.state, cell: (person) => <PersonState person={person} /> },
    {
      key: 'seen',
      title: texts.columns.seen,
      cell: ({ seenAt }) => (seenAt === null ? texts.never : <Time at={seenAt} look="ago" />),
    },
    {
      key: 'action',
      title: texts.columns.action,
      align: 'end',
      cell: (person) => <PersonActions person={person} onAct={(action) => onAct(person, action)} />,
    },
  ];
  return (
    <Table
      caption={texts.title}
      columns={columns}
      rows={people}
      keyOf={({ id }) => id}
      isEnded={({ state }) => state === 'disabled'}
      isStale={isStale}
    />
  );
};
