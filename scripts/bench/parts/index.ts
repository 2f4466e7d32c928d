import type { Part } from '../part.ts';
import { backlog } from './backlog.ts';
import { batch } from './batch.ts';
import { client } from './client.ts';
import { consolePart } from './console.ts';
import { conversion } from './conversion.ts';
import { delivered } from './delivered.ts';
import { delivery } from './delivery.ts';
import { growth } from './growth.ts';
import { csvImport } from './import.ts';
import { latency } from './latency.ts';
import { list } from './list.ts';
import { overload } from './overload.ts';
import { page } from './page.ts';
import { redirect } from './redirect.ts';
import { silent } from './silent.ts';
import { slow } from './slow.ts';
import { withoutRabbitmq } from './without-rabbitmq.ts';

const whole = {
  page,
  redirect,
  client,
  conversion,
  batch,
  import: csvImport,
  delivered,
  latency,
  delivery,
  backlog,
};

/** What runs if no part is named, in execution order. */
export const wholeParts: readonly string[] = Object.keys(whole);

/** The parts of which `profile` draws pictures. */
export const profiledParts: readonly string[] = Object.keys({ page, redirect, conversion, delivered });

export const parts: ReadonlyMap<string, Part> = new Map(
  Object.entries({
    ...whole,
    growth,
    list,
    console: consolePart,
    overload,
    silent,
    slow,
    'without-rabbitmq': withoutRabbitmq,
  }),
);
