import type { Person } from '../../../src/contract/people.ts';
import { useSession } from '../../api/use-api.ts';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { useTexts } from '../../text/language.tsx';
import { peopleTexts } from './texts.ts';

export type PersonAction = 'change' | 'again' | 'signOut' | 'disable';

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

export const PersonActions = ({ person, onAct }: PersonActionsProps) => {
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
