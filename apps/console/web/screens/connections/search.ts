import { type PlatformName, platformTitles } from '../../parts/platform.tsx';
import { oneOf, textOf } from '../../search-parameters.ts';

export const steps = ['settings', 'check'] as const;

export interface NewConnectionSearch {
  readonly platform?: PlatformName | undefined;
  /** Only with a platform. Undefined: the choice of one. */
  readonly step?: (typeof steps)[number] | undefined;
}

const isPlatform = (text: unknown): text is PlatformName =>
  typeof text === 'string' && Object.hasOwn(platformTitles, text);

export const parseNewConnectionSearch = ({ platform, step }: Readonly<Record<string, unknown>>): NewConnectionSearch =>
  isPlatform(platform) ? { platform, step: oneOf(steps, step) ?? 'settings' } : {};

export interface ConnectionSearch {
  /** Names of fields to enter again, separated by commas. */
  readonly fix?: string | undefined;
}

export const parseConnectionSearch = ({ fix }: Readonly<Record<string, unknown>>): ConnectionSearch => ({
  fix: textOf(fix),
});
