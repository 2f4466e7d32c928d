/** The sum of a metric over all lines with these labels. */
export const sumIn = (metrics: string, name: string, labels: Readonly<Record<string, string>> = {}): number => {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return metrics
    .split('\n')
    .filter((line) => /^\w+/.exec(line)?.[0] === name && wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
};

export interface Footprint {
  readonly memoryMb: number;
  /** Sockets, timers and the like. */
  readonly resources: number;
}

export const footprintIn = (metrics: string): Footprint => ({
  memoryMb: Math.round(sumIn(metrics, 'process_resident_memory_bytes') / 1024 / 1024),
  resources: sumIn(metrics, 'nodejs_active_resources_total'),
});
