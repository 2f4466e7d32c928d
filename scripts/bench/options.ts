import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { PartSettings } from './part.ts';
import { parts, profiledParts, wholeParts } from './parts/index.ts';

const text = { type: 'string' } as const;
const number = z.coerce.number().int().min(1);

const optionsSchema = z.object({
  seconds: z.coerce.number().min(1).default(1.5),
  rounds: number.default(5),
  against: z.string().optional(),
  rows: number.default(100_000),
  connections: number.default(40),
  delay: z.coerce.number().int().min(0).default(200),
  platform: z.enum(['google', 'meta']).default('meta'),
  sizes: z
    .string()
    .default('10000,1000000,10000000')
    .transform((sizes) => z.array(number).min(1).parse(sizes.split(','))),
});

export interface Options {
  /** What the words chose. */
  readonly parts: readonly string[];
  readonly isJson: boolean;
  readonly isProfile: boolean;
  readonly against: string | undefined;
  readonly settings: PartSettings;
}

/** Words choose parts, `json` or `profile`; options have values. Throws on anything else. */
export const readOptions = (args: readonly string[]): Options => {
  const names = Object.keys(optionsSchema.shape);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: Object.fromEntries(names.map((name) => [name, text])),
  });
  const { against, delay, ...settings } = optionsSchema.parse(values);
  const words = new Set(positionals);
  const [isJson, isProfile] = [words.delete('json'), words.delete('profile')];
  const known = isProfile ? profiledParts : [...parts.keys()];
  const unknown = [...words].filter((word) => !known.includes(word));
  if (unknown.length > 0) {
    throw new Error(`there is no part ${unknown.join(', ')}. Choose from ${known.join(', ')}; besides json, profile`);
  }
  const chosen = words.size > 0 ? [...words] : isProfile ? profiledParts : wholeParts;
  return { parts: chosen, isJson, isProfile, against, settings: { ...settings, delayMs: delay, callers: 64 } };
};
