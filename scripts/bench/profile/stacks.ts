import { z } from 'zod';

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.int() }),
      children: z.array(z.int()).default([]),
    }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});

export interface Frame {
  /** Function, library and file. */
  readonly name: string;
  readonly url: string;
  /** Microseconds, its own and those of what it called. */
  readonly total: number;
  readonly children: readonly Frame[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

/** Whether it belongs to the app: neither idle time nor the profiler. */
const isOfApp = ({ functionName, url }: CallFrame): boolean =>
  functionName !== '(idle)' && url !== 'node:inspector' && !url.endsWith('/bench/profile/profiler.ts');

const libraryOf = (url: string): string => /.*\/node_modules\/((@[^/]+\/)?[^/]+\/)/.exec(url)?.[1] ?? '';

const nameOf = ({ functionName, url }: CallFrame): string => {
  const file = libraryOf(url) + url.slice(url.lastIndexOf('/') + 1);
  return `${functionName || '(anonymous)'}${file && ` · ${file}`}`;
};

/** The call tree of a CPU profile: the same function called from the same place is one frame. Without idle time. */
export const callTree = (profile: unknown): Frame => {
  const { nodes, samples, timeDeltas } = profileSchema.parse(profile);
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const ownOf = new Map<number, number>();
  for (const [index, id] of samples.entries()) ownOf.set(id, (ownOf.get(id) ?? 0) + (timeDeltas[index] ?? 0));

  const merge = (ids: readonly number[]): Frame[] => {
    const found = ids.flatMap((id) => nodeOf.get(id) ?? []);
    const running = found.filter(({ callFrame }) => isOfApp(callFrame));
    const groups = Map.groupBy(running, ({ callFrame }) => nameOf(callFrame) + callFrame.url);
    return [...groups.values()]
      .map((same) => {
        const children = merge(same.flatMap((node) => node.children));
        const own = same.reduce((sum, { id }) => sum + (ownOf.get(id) ?? 0), 0);
        const { callFrame = { functionName: '', url: '' } } = same[0] ?? {};
        const total = children.reduce((sum, child) => sum + child.total, own);
        return { name: nameOf(callFrame), url: callFrame.url, total, children };
      })
      .toSorted((one, other) => other.total - one.total);
  };
  const [root] = nodes;
  const children = merge(root?.children ?? []);
  return { name: 'all', url: '', total: children.reduce((sum, child) => sum + child.total, 0), children };
};
