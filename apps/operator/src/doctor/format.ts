/** `1 lead`, `12 leads`, `12,000 leads`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `40 s`, `12 min`, `5 h`, `3 days`. */
export const formatDuration = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
};

/** `a, b and 12 more`. */
export const truncateList = (all: readonly string[], few = 10): string =>
  all.length <= few ? all.join(', ') : `${all.slice(0, few).join(', ')} and ${all.length - few} more`;
