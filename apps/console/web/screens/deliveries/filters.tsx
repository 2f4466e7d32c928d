import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../parts/button.tsx';
import { type Chip, Chips } from '../../parts/chips.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { platformTitles } from '../../parts/platform.tsx';
import { idOf } from '../../search-parameters.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { type DeliveriesSearch, isPlatform, states } from './search.ts';
import { deliveriesTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/deliveries');

const none: DeliveriesSearch = {
  platform: undefined,
  connection: undefined,
  state: undefined,
  code: undefined,
  conversion: undefined,
  test: undefined,
};

/** Changes filters in the URL. Another state has other reasons. */
export const useFilter = (): ((changed: DeliveriesSearch) => void) => {
  const navigate = route.useNavigate();
  return (changed) =>
    void navigate({
      to: '/a/$account/deliveries',
      search: (before) => ({ ...before, ...('state' in changed ? { code: undefined } : {}), ...changed }),
    });
};

const useChips = (): readonly Chip[] => {
  const texts = useTexts(deliveriesTexts);
  const filter = useFilter();
  const { platform, connection, state, code, conversion, test } = route.useSearch();
  const named = [
    { key: 'platform', text: platform && platformTitles[platform] },
    { key: 'connection', text: connection === undefined ? undefined : texts.connection(connection) },
    { key: 'state', text: state && texts.states[state] },
    { key: 'code', text: code === undefined ? undefined : texts.reason(code) },
    { key: 'conversion', text: conversion === undefined ? undefined : texts.ofConversion(conversion) },
    { key: 'test', text: test && texts.test },
  ];
  return named.flatMap(({ key, text }) =>
    text === undefined ? [] : [{ key, text, onRemove: () => filter({ [key]: undefined }) }],
  );
};

const Choices = () => {
  const texts = useTexts(deliveriesTexts);
  const filter = useFilter();
  const { platform, state, test } = route.useSearch();
  const any = { value: 'any', label: texts.any };
  return (
    <div className={styles.choices}>
      <Select
        label={texts.platform}
        value={platform ?? 'any'}
        options={[any, ...Object.entries(platformTitles).map(([value, label]) => ({ value, label }))]}
        onChange={(value) => filter({ platform: isPlatform(value) ? value : undefined })}
      />
      <Select
        label={texts.state}
        value={state ?? 'any'}
        options={[any, ...states.map((value) => ({ value, label: texts.states[value] }))]}
        onChange={(value) => filter({ state: states.find((one) => one === value) })}
      />
      <Select
        label={texts.mode}
        value={test ?? 'false'}
        options={[
          { value: 'false', label: texts.live },
          { value: 'true', label: texts.test },
        ]}
        onChange={(value) => filter({ test: value === 'true' ? value : undefined })}
      />
    </div>
  );
};

/** What is in force, as chips, and how to change it. */
export const Filters = () => {
  const texts = useTexts(deliveriesTexts);
  const filter = useFilter();
  const chips = useChips();
  const { conversion } = route.useSearch();
  return (
    <div className={styles.filters}>
      <form
        key={conversion}
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          filter({ conversion: idOf(new FormData(event.currentTarget).get('conversion')) });
        }}
      >
        <Field
          label={texts.conversionHint}
          name="conversion"
          inputMode="numeric"
          pattern="\d*"
          defaultValue={conversion}
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
