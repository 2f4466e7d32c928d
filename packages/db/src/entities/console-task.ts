import { consoleTaskKinds, consoleTaskStates } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const ConsoleTaskSchema = defineEntity({
  name: 'ConsoleTask',
  tableName: 'console_task',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    /** The email of the person who started it. */
    startedBy: p.text(),
    kind: p.enum(consoleTaskKinds),
    filter: p.json<unknown>(),
    state: p.enum(consoleTaskStates).default('running'),
    /** Deliveries counted when it was created; null: too many to count. */
    total: p.integer().nullable(),
    done: p.integer().default(0),
    /** What comes after this delivery is left to do, up to the newest one when it was created. */
    cursor: p.json<unknown>(),
    message: p.text().nullable(),
    /** When a part of it was last done: the task that waits longest is next. */
    workedAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    createdAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { properties: ['account', 'id'] },
    { name: 'console_task_open_index', properties: ['workedAt'], where: `state = 'running'` },
  ],
});

/** Work that a person started in the console, and that goes on without a browser. */
export class ConsoleTask extends ConsoleTaskSchema.class {}
ConsoleTaskSchema.setClass(ConsoleTask);
