import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Person } from '../../../src/contract/people.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FindField } from '../../parts/find-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { AccessDialog } from './access-dialog.tsx';
import { AgainDialog } from './again-dialog.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import styles from './style.module.css';
import { SignOutDialog } from './sign-out-dialog.tsx';
import type { PersonAction } from './person-actions.tsx';
import { PersonTable } from './person-table.tsx';
import { peopleQuery } from './queries.ts';
import { peopleTexts } from './texts.ts';

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
              {isPartial && <p className={styles.note}>{texts.partial(format.count(items.length))}</p>}
            </>
          )}
        </Loaded>
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {ChosenDialog && <ChosenDialog person={chosen.person} onClose={() => setChosen(undefined)} />}
    </>
  );
};
