/** What is left to do for a cell that has a database; `pgOptions` if it has a schema of one. */
export const nextStepsOf = (cell: string, pgOptions?: string) => [
  {
    for: 'RabbitMQ',
    do: `cell broker ${cell} > ${cell}.json, then rabbitmqctl import_definitions ${cell}.json`,
  },
  {
    for: 'every app and command of the cell',
    do: [
      ...(pgOptions === undefined ? [] : [`PGOPTIONS='${pgOptions}'`]),
      `DATABASE_URL of this database, AMQP_URL=amqps://…/${cell}, and preferably its own SECRETS_KEY`,
    ].join(', '),
  },
  {
    for: 'the load balancer',
    do: `landing-${cell}.example.com and api-${cell}.example.com to the apps of the cell; LANDING_URL is the former`,
  },
  { for: 'the list of cells', do: 'an entry in CELLS_FILE, for cell list' },
];
