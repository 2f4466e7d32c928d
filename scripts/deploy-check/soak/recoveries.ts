/** How a stack recovered from one fault. */
export interface Recovery {
  readonly fault: string;
  /** From the end of the fault until conversions were accepted again. */
  readonly acceptedAgainMs: number;
  /** From the beginning of the fault until its service was healthy again. */
  readonly requestsFailed: number;
}

const head = `| fault | times | accepted again: median | at the latest | requests failed |
|---|---|---|---|---|`;

const seconds = (ms = 0) => `${(ms / 1_000).toFixed(1)} s`;

/** A row for each kind of fault, in Markdown: docs/reliability-soak.md has it of a run. */
export const recoveryTable = (recoveries: readonly Recovery[]): string => {
  const rows = [...Map.groupBy(recoveries, ({ fault }) => fault)].map(([fault, those]) => {
    const times = those.map(({ acceptedAgainMs }) => acceptedAgainMs).toSorted((one, other) => one - other);
    const failed = those.reduce((sum, { requestsFailed }) => sum + requestsFailed, 0);
    const median = times[Math.floor(times.length / 2)];
    return `| ${fault} | ${those.length} | ${seconds(median)} | ${seconds(times.at(-1))} | ${failed} |`;
  });
  return [head, ...rows.toSorted()].join('\n');
};
