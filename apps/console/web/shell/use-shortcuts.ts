import { useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Moves the focus to the row after or before the one that has it. */
const moveRow = (step: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>('[data-open]') ?? []);
  const current = links.findIndex((link) => link.closest('[data-row]')?.contains(document.activeElement));
  const at = current === -1 ? 0 : Math.min(Math.max(current + step, 0), links.length - 1);
  links[at]?.focus();
  links[at]?.scrollIntoView({ block: 'nearest' });
};

/** In an open drawer, j and k open the next and the previous row. */
const move = (step: 1 | -1): void => {
  const drawer = document.querySelector('dialog[open]');
  if (!drawer) return moveRow(step);
  drawer.querySelector<HTMLElement>(step === 1 ? '[data-next]' : '[data-previous]')?.click();
};

/** Focuses the search field of the screen, if it has one. */
const find = (): boolean => {
  const field = document.querySelector<HTMLElement>('main [data-find]');
  field?.focus();
  return field !== null;
};

/** `/` find, `j` `k` rows, Ctrl-K or ⌘K the palette. Enter and Escape are the browser's own. */
export const useShortcuts = (onPalette: () => void): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (isPalette) {
        event.preventDefault();
        return onPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'j') move(1);
      if (event.key === 'k') move(-1);
      if (event.key === '/' && !document.querySelector('dialog[open]')) {
        event.preventDefault();
        if (!find()) onPalette();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [onPalette]);
};
