import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/form.tsx';
import { Menu, MenuGroup, MenuItem } from '../parts/menu.tsx';
import styles from '../parts/parts.module.css';
import { useTimeZone } from '../shell/use-account.ts';
import { useFormat, useTexts } from '../text/language.tsx';
import {
  cityOf,
  type DayRange,
  daysIn,
  daysOf,
  isDay,
  presetOf,
  presets,
  type RangeSearch,
  searchOf,
  shifted,
  today,
} from './range.ts';
import { rangeTexts } from './texts.ts';

const daysMax = 400;

interface RangePickerProps {
  readonly value: RangeSearch;
  readonly onChange: (range: RangeSearch) => void;
}

interface OtherDaysProps {
  readonly days: DayRange;
  readonly onApply: (range: DayRange) => void;
}

const OtherDays = ({ days, onApply }: OtherDaysProps) => {
  const texts = useTexts(rangeTexts);
  const timeZone = useTimeZone();
  const [from, setFrom] = useState(days.from);
  const [to, setTo] = useState(days.to);
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className={styles.days}
      onSubmit={(event) => {
        event.preventDefault();
        const isUsable = isDay(from) && isDay(to) && from <= to && daysIn({ from, to }) <= daysMax;
        setWrong(!isUsable);
        if (isUsable) onApply({ from, to });
      }}
    >
      <Field label={texts.from} type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
      <Field
        label={texts.to}
        type="date"
        value={to}
        onChange={(event) => setTo(event.target.value)}
        problem={isWrong ? texts.wrong(daysMax) : undefined}
        hint={texts.zone(timeZone)}
      />
      <Button type="submit">{texts.apply}</Button>
    </form>
  );
};

/** Chooses a range of days; the arrows move it by its own length. */
export const RangePicker = ({ value, onChange }: RangePickerProps) => {
  const texts = useTexts(rangeTexts);
  const format = useFormat();
  const timeZone = useTimeZone();
  const days = daysOf(value, timeZone);
  const preset = presetOf(value);
  const written = days.from === days.to ? format.day(days.from) : `${format.day(days.from)} – ${format.day(days.to)}`;
  const move = (direction: -1 | 1) => onChange({ range: undefined, ...shifted(days, direction) });
  return (
    <div className={styles.picker} role="group" aria-label={texts.period}>
      <Button icon="left" aria-label={texts.earlier} onClick={() => move(-1)} />
      <Menu icon="calendar" label={preset === undefined ? written : `${texts.presets[preset]} · ${written}`}>
        {(close) => (
          <>
            {presets.map((one) => (
              <MenuItem
                key={one}
                isCurrent={one === preset}
                onSelect={() => {
                  onChange(searchOf(one));
                  close();
                }}
              >
                {texts.presets[one]}
              </MenuItem>
            ))}
            <MenuGroup title={texts.custom}>
              <OtherDays
                key={`${days.from} ${days.to}`}
                days={days}
                onApply={(range) => {
                  onChange({ range: undefined, ...range });
                  close();
                }}
              />
            </MenuGroup>
          </>
        )}
      </Menu>
      <Button icon="right" aria-label={texts.later} disabled={days.to >= today(timeZone)} onClick={() => move(1)} />
      <span className={styles.zone} title={texts.zone(timeZone)}>
        {cityOf(timeZone)}
      </span>
    </div>
  );
};
