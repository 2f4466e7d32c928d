import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { type Chip, Chips } from '../../parts/chips.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import type { AuditSearch } from './search.ts';
import { auditTexts } from './texts.ts';
import { useAuditSearch, useFilter } from './use-audit.ts';
import { useActionName, useActorName } from './use-words.ts';

const none: AuditSearch = { actor: undefined, action: undefined, from: undefined, to: undefined };

const useChips = (): readonly Chip[] => {
  const texts = useTexts(auditTexts);
  const format = useFormat();
  const filter = useFilter();
  const actionName = useActionName();
  const actorName = useActorName();
  const { actor, action, from, to } = useAuditSearch();
  const named = [
    { key: 'actor', text: actor && texts.by(actorName(actor)) },
    { key: 'action', text: action && texts.what(actionName(action)) },
    { key: 'from', text: from && texts.since(format.dayWithYear(from)) },
    { key: 'to', text: to && texts.until(format.dayWithYear(to)) },
  ];
  return named.flatMap(({ key, text }) =>
    text === undefined ? [] : [{ key, text, onRemove: () => filter({ [key]: undefined }) }],
  );
};

const Choices = () => {
  const texts = useTexts(auditTexts);
  const filter = useFilter();
  const { action, from, to } = useAuditSearch();
  const known = Object.entries(texts.actions).map(([value, label]) => ({ value, label }));
  const others = action === undefined || action in texts.actions ? [] : [{ value: action, label: action }];
  return (
    <div className={styles.choices}>
      <Select
        label={texts.action}
        value={action ?? ''}
        options={[{ value: '', label: texts.any }, ...others, ...known]}
        onChange={(value) => filter({ action: value || undefined })}
      />
      <Field
        label={texts.from}
        type="date"
        value={from ?? ''}
        max={to}
        onChange={(event) => filter({ from: event.target.value || undefined })}
      />
      <Field
        label={texts.to}
        type="date"
        value={to ?? ''}
        min={from}
        hint={texts.utc}
        onChange={(event) => filter({ to: event.target.value || undefined })}
      />
    </div>
  );
};

/** What is in force, as chips, and how to change it. */
export const Filters = () => {
  const texts = useTexts(auditTexts);
  const filter = useFilter();
  const chips = useChips();
  const { actor } = useAuditSearch();
  return (
    <div className={styles.filters}>
      <form
        key={actor}
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          filter({ actor: formText(new FormData(event.currentTarget), 'actor').trim() || undefined });
        }}
      >
        <Field
          label={texts.actor}
          name="actor"
          type="search"
          maxLength={320}
          placeholder={texts.actorHint}
          defaultValue={actor}
          autoComplete="off"
          data-find
        />
      </form>
      <Menu icon="filter" label={texts.filters}>
        {() => <Choices />}
      </Menu>
      <Chips chips={chips} />
      {chips.length > 1 && (
        <Button look="quiet" onClick={() => filter(none)}>
          {texts.clear}
        </Button>
      )}
    </div>
  );
};
