import type { PlatformName } from '../../parts/platform.tsx';
import { oneOf, textOf } from '../../search-parameters.ts';
import { isPlatform } from '../deliveries/search.ts';

export const connectionSteps = ['settings', 'check'] as const;

export interface NewConnectionSearch {
  readonly platform?: PlatformName | undefined;
  /** Only with a platform. Undefined: the choice of one. */
  readonly step?: (typeof connectionSteps)[number] | undefined;
}

export const parseNewConnectionSearch = ({ platform, step }: Readonly<Record<string, unknown>>): NewConnectionSearch =>
  isPlatform(platform) ? { platform, step: oneOf(connectionSteps, step) ?? 'settings' } : {};

export interface ConnectionSearch {
  /** Names of fields to enter again, separated by commas. */
  readonly fix?: string | undefined;
}

export const parseConnectionSearch = ({ fix }: Readonly<Record<string, unknown>>): ConnectionSearch => ({
  fix: textOf(fix),
});
