import type { ListPosition } from '@leadback/reports';
import { z } from 'zod';

// PostgreSQL has no year 0
const time = z.iso.datetime({ precision: 6 }).refine((text) => !text.startsWith('0000'));

const read = (text: string): ListPosition | undefined => {
  const [, occurredAt = '', id = ''] = /^(\S{27}) ([1-9]\d{0,15})$/.exec(text) ?? [];
  return time.safeParse(occurredAt).success ? { occurredAt, id: Number(id) } : undefined;
};

/** A position as callers get it and send it back: nothing that they should read. */
export const writePosition = ({ occurredAt, id }: ListPosition): string =>
  Buffer.from(`${occurredAt} ${id}`).toString('base64url');

export const positionSchema = z
  .string({ error: 'expected the value of next' })
  .max(100, 'expected the value of next')
  .transform((text, context) => {
    const position = read(Buffer.from(text, 'base64url').toString('latin1'));
    if (position !== undefined) return position;
    context.addIssue('expected the value of next from the page before');
    return z.NEVER;
  });
