import { finalReasons, heldReasons, skipReasons } from '@leadback/domain';
import { reasonMeaning, type ReasonText, reasonTexts, sameAs } from '@leadback/domain/reasons';
import { list, pageOf } from './table.ts';

const texts: Readonly<Record<string, ReasonText>> = reasonTexts.en;
const skipped: readonly string[] = skipReasons;
const held: readonly string[] = heldReasons;
const final: readonly string[] = finalReasons;
// how far a sale came, which the console shows beside the reasons
const stages = ['waiting', 'connection_paused', 'connection_needs_attention', 'not_reported_yet', 'not_reported'];
const waiting = [...held, 'early', 'quota', 'connection_rests', 'internal_error'];
const failed = Object.keys(texts).filter((code) => ![...skipped, ...waiting, ...stages].includes(code));

const meaningOf = (code: string): string => {
  const text = texts[code] ?? { title: code };
  // the page is about all platforms
  return reasonMeaning(text, 7)?.replace('7 days', '7 days (Meta, TikTok) or 90 days (others)') ?? text.title;
};

const entryOf = (code: string): readonly [string, string] => {
  const same = Object.keys(sameAs).filter((other) => sameAs[other] === code);
  const remedy = texts[code]?.remedy ?? (final.includes(code) ? 'Nothing helps.' : '');
  return [[code, ...same].map((name) => `\`${name}\``).join(', '), `${meaningOf(code)} ${remedy}`.trim()];
};

const part = (title: string, codes: readonly string[]) => `## ${title}\n\n${list(codes.map(entryOf))}`;

export const reasonsPage = (): string =>
  pageOf(
    'Reasons of deliveries',
    'For operators, partners and marketers: why a delivery was skipped, failed or waits, and what helps. A reason that is not here is the code of the platform.',
    part('Skipped', skipped),
    part('Failed', failed),
    'A delivery that crashed five workers fails as `crashed`: tell the platform team.',
    '## Pending\n\nNobody has to do anything. `worker_stops`: another worker takes over.',
    list(waiting.map((code) => [`\`${code}\``, meaningOf(code)])),
  );
