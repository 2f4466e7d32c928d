import { z } from 'zod';
import { brokerDefinitions } from '../cells/broker-definitions.ts';
import { cellNameSchema } from '../cells/cell-name.ts';
import { command } from '../command.ts';
import type { Terminal } from '../terminal.ts';

const inputSchema = z.object({ id: cellNameSchema });

const definitions = async ({ id }: z.output<typeof inputSchema>, { env }: Pick<Terminal, 'env'>) =>
  brokerDefinitions(id, env);

export const printCellBroker = command({
  name: 'cell broker',
  summary:
    'print the RabbitMQ definitions of a cell, with a virtual host of its name, for `rabbitmqctl import_definitions`; needs neither settings nor the database. It creates the users whose passwords are in RABBITMQ_LANDING_PASSWORD, RABBITMQ_API_PASSWORD, RABBITMQ_FEEDBACK_WORKER_PASSWORD and RABBITMQ_OPERATOR_PASSWORD; the others must exist',
  argument: '<name>',
  input: inputSchema,
  runOffline: definitions,
  run: definitions,
  shown: (output) => JSON.stringify(output, undefined, 2),
});
