import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Person } from '../../../src/contract/people.ts';
import { useApi, useSession } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { FindField } from '../../parts/form.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { Empty } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time, type Tone } from '../../parts/values.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { AccessDialog, AgainDialog, DisableDialog, InviteDialog, peopleQuery, SignOutDialog } from './dialogs.tsx';
import styles from './style.module.css';
import { peopleTexts } from './texts.ts';

type PersonAction = 'change' | 'again' | 'signOut' | 'disable';

interface PersonActionsProps {
  readonly person: Person;
  readonly onAct: (action: PersonAction) => void;
}

/** Nobody withdraws their own access: another admin does. */
const actionsOn = ({ state, invitedUntil }: Person, isOwn: boolean): readonly PersonAction[] => {
  if (isOwn) return ['again', 'signOut'];
  if (state === 'active') return ['change', 'again', 'signOut', 'disable'];
  // to disable is also to withdraw the link
  return state === 'disabled' && invitedUntil === null ? ['change', 'again'] : ['change', 'again', 'disable'];
};

const PersonActions = ({ person, onAct }: PersonActionsProps) => {
  const texts = useTexts(peopleTexts);
  const own = useSession().person?.id;
  const nameOf = (action: PersonAction) =>
    action === 'again' && person.state === 'disabled' ? texts.enable : texts[action];
  return (
    <Menu look="quiet" icon="dots" label="" name={texts.actionsOf(person.email)} isOpener>
      {(close) =>
        actionsOn(person, person.id === own).map((action) => (
          <MenuItem
            key={action}
            onSelect={() => {
              close();
              onAct(action);
            }}
          >
            {nameOf(action)}
          </MenuItem>
        ))
      }
    </Menu>
  );
};

type Shown = keyof (typeof peopleTexts)['en']['states'];

const tones: Readonly<Record<Shown, Tone>> = { active: 'good', invited: 'accent', expired: 'warn', disabled: 'plain' };

const shownState = ({ state, invitedUntil }: Person): Shown =>
  state === 'invited' && (invitedUntil === null || new Date(invitedUntil) <= new Date()) ? 'expired' : state;

const PersonState = ({ person }: { readonly person: Person }) => {
  const texts = useTexts(peopleTexts);
  const format = useFormat();
  const state = shownState(person);
  return (
    <span className={styles.stacked}>
      <Badge tone={tones[state]}>{texts.states[state]}</Badge>
      <span className="tiny">
        {state === 'invited' && person.invitedUntil !== null
          ? texts.invitedUntil(format.dayWithYear(person.invitedUntil))
          : texts.secondFactor[person.hasSecondFactor ? 'set' : 'notSet']}
      </span>
    </span>
  );
};

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

const PersonTable = ({ people, isStale, onAct }: PersonTableProps) => {
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

const route = getRouteApi('/signed-in/across/people');
const dialogs = { change: AccessDialog, again: AgainDialog, signOut: SignOutDialog, disable: DisableDialog };

/** Who may use the console, and what do they see? */
export const PeopleScreen = () => {
  const texts = useTexts(peopleTexts);
  const format = useFormat();
  const api = useApi();
  const { find } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(peopleQuery(api, find));
  const [isInviting, setInviting] = useState(false);
  const [chosen, setChosen] = useState<{ readonly person: Person; readonly action: PersonAction }>();
  const ChosenDialog = chosen && dialogs[chosen.action];
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
          {texts.invite}
        </Button>
      </ScreenHead>
      <FindField
        label={texts.find}
        value={find}
        onFind={(text) => void navigate({ to: '/people', search: { find: text }, replace: true, resetScroll: false })}
      />
      <Card>
        <Loaded query={query} lines={8}>
          {({ items, isPartial }) => (
            <>
              {items.length === 0 ? (
                <Empty icon="people" title={texts.emptyTitle}>
                  {texts.empty}
                </Empty>
              ) : (
                <PersonTable
                  people={items}
                  isStale={query.isPlaceholderData}
                  onAct={(person, action) => setChosen({ person, action })}
                />
              )}
              {isPartial && <p className="footnote">{texts.partial(format.count(items.length))}</p>}
            </>
          )}
        </Loaded>
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {ChosenDialog && <ChosenDialog person={chosen.person} onClose={() => setChosen(undefined)} />}
    </>
  );
};
