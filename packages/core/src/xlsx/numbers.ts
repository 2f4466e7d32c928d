/** How a number of a workbook is shown, as far as it changes what it says. */
export type NumberFormat =
  | { readonly kind: 'time'; readonly hasClock: boolean }
  /** At least so many digits, such as `00042`. */
  | { readonly kind: 'digits'; readonly digits: number };

/** The formats that workbooks name by their number alone. */
export const builtInFormat = (id: number): NumberFormat | undefined => {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) {
    return { kind: 'time', hasClock: false };
  }
  return (id >= 18 && id <= 22) || (id >= 32 && id <= 35) || id === 45 || id === 47
    ? { kind: 'time', hasClock: true }
    : undefined;
};

/** What a code such as `dd/mm/yyyy hh:mm` or `00000` says. Hours beyond a day, `[h]:mm`, are a number. */
export const formatOfCode = (code: string): NumberFormat | undefined => {
  if (/^0{2,15}$/.test(code)) return { kind: 'digits', digits: code.length };
  if (/\[[hms]+\]/i.test(code)) return undefined;
  // texts, escaped and spaced signs, colours and languages
  const plain = code.replaceAll(/"[^"]*"|[\\_*].|\[[^\]]*\]/g, '').replaceAll(/General/gi, '');
  return /[ymdhs]/i.test(plain) ? { kind: 'time', hasClock: /[hs]/i.test(plain) } : undefined;
};

// Excel keeps fifteen digits: of a longer number, the others are lost
const exactMax = 1e15;
const digitsMax = 15;

const withoutExponent = (number: number): string => {
  const text = String(number);
  return text.includes('e') ? number.toFixed(20).replace(/\.?0+$/, '') : text;
};

/**
 * A number as people read it. One that was cut stays with its exponent, by which it is refused as an id. Three decimals get a zero, so that
 * nobody takes the point for one of thousands.
 */
export const numberText = (raw: string): string => {
  const number = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(number)) return raw;
  if (Math.abs(number) >= exactMax) return number.toExponential();
  const text = withoutExponent(Number(number.toPrecision(digitsMax)));
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text;
};

const dayMs = 86_400_000;
// 31 December 9999
const serialMax = 2_958_466;

/** A time as ISO 8601 without an offset: which zone it is in, a workbook does not say. */
export const timeText = (
  raw: string,
  { is1904, hasClock }: { readonly is1904: boolean; readonly hasClock: boolean },
): string => {
  const serial = Number(raw);
  if (raw.trim() === '' || !(serial >= 0 && serial < serialMax)) return numberText(raw);
  const ms = Math.round((serial * dayMs) / 1000) * 1000;
  // Excel counts 29 February 1900, which was no day
  const base = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(base + ms).toISOString();
  const clock = iso.slice(11, 19);
  if (serial < 1) return clock;
  return hasClock || clock !== '00:00:00' ? `${iso.slice(0, 10)} ${clock}` : iso.slice(0, 10);
};

/** A number as it is shown. */
export const shownNumber = (raw: string, format: NumberFormat | undefined, is1904: boolean): string => {
  if (format?.kind === 'time') return timeText(raw, { is1904, hasClock: format.hasClock });
  const text = numberText(raw);
  return format?.kind === 'digits' && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text;
};
