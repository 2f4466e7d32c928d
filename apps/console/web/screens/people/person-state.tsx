import type { Person } from '../../../src/contract/people.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { peopleTexts } from './texts.ts';

type Shown = keyof (typeof peopleTexts)['en']['states'];

const tones: Readonly<Record<Shown, Tone>> = { active: 'good', invited: 'accent', expired: 'warn', disabled: 'plain' };

const shownState = ({ state, invitedUntil }: Person): Shown =>
  state === 'invited' && (invitedUntil === null || new Date(invitedUntil) <= new Date()) ? 'expired' : state;

export const PersonState = ({ person }: { readonly person: Person }) => {
  const texts = useTexts(peopleTexts);
  const format = useFormat();
  const state = shownState(person);
  return (
    <span className={styles.stacked}>
      <Badge tone={tones[state]}>{texts.states[state]}</Badge>
      <span className={styles.small}>
        {state === 'invited' && person.invitedUntil !== null
          ? texts.invitedUntil(format.dayWithYear(person.invitedUntil))
          : texts.secondFactor[person.hasSecondFactor ? 'set' : 'notSet']}
      </span>
    </span>
  );
};
