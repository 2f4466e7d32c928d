import { useAccountSearch } from '../../shell/use-account-search.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { peopleTexts } from './texts.ts';

interface AccountChoiceProps {
  readonly chosen: readonly number[];
  readonly onChange: (chosen: readonly number[]) => void;
  /** None was chosen, although one is needed. */
  readonly isMissing: boolean;
}

/** The accounts that a person may see. Those that are chosen stay in the list while it is searched. */
export const AccountChoice = ({ chosen, onChange, isMissing }: AccountChoiceProps) => {
  const texts = useTexts(peopleTexts);
  const { accounts, isFound, field } = useAccountSearch(texts.findAccount);
  const found = accounts.filter(({ id, name }) => chosen.includes(id) || isFound(name));
  return (
    <fieldset className={styles.accounts}>
      <legend>{texts.accounts}</legend>
      {field}
      {accounts.length === 0 ? (
        <p>{texts.noAccounts}</p>
      ) : (
        <div className={styles.list}>
          {found.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={() => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
              />
              {name}
            </label>
          ))}
        </div>
      )}
      {isMissing && (
        <p className={styles.problem} role="alert">
          {texts.chooseAccount}
        </p>
      )}
    </fieldset>
  );
};
