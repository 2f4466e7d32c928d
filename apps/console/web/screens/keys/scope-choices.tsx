import type { ApiKey } from '../../../src/contract/keys.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { keysTexts } from './texts.ts';

type Scope = ApiKey['scopes'][number];

const scopes = ['read', 'register', 'erase'] as const satisfies readonly Scope[];

/** What a backend usually needs. */
export const usualScopes: readonly Scope[] = ['read', 'register'];

interface ScopeChoicesProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

export const ScopeChoices = ({ chosen, onChange }: ScopeChoicesProps) => {
  const texts = useTexts(keysTexts);
  return (
    <fieldset className={styles.scopes} aria-describedby="scopes-hint">
      <legend>{texts.scopes}</legend>
      {scopes.map((scope) => (
        <label key={scope} className={styles.scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target: { checked } }) =>
              onChange(scopes.filter((one) => (one === scope ? checked : chosen.includes(one))))
            }
          />
          {texts.scopeTexts[scope]}
        </label>
      ))}
      <p id="scopes-hint" className={styles.small}>
        {chosen.length === 0 ? texts.noScope : texts.scopesHint}
      </p>
    </fieldset>
  );
};
