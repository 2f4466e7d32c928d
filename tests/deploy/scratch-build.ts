import { mkdir } from 'node:fs/promises';
import { copyStep } from './copy-step.ts';
import type { Dockerfile, Stage, Step } from './dockerfile.ts';
import { runStep } from './run-step.ts';
import { inside, nodeStage, type ScratchStage, stageFrom } from './scratch-stage.ts';

/** Instructions without effect on the files; they apply when the image runs. */
const notes = new Set(['CMD', 'ENTRYPOINT', 'EXPOSE', 'HEALTHCHECK', 'STOPSIGNAL', 'USER', 'VOLUME']);

const settingsIn = (text: string, env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    text.split(/\s+/).map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return [name, value.replaceAll(/\$(\w+)/g, (_, variable: string) => env[variable] ?? '')];
    }),
  );

type Stages = ReadonlyMap<string, ScratchStage>;

const carryOut = async (stage: ScratchStage, step: Step, stages: Stages): Promise<void> => {
  const { keyword, flags, text } = step;
  if (keyword === 'RUN') await runStep(stage, text);
  else if (keyword === 'COPY') {
    const { from: name } = flags;
    const from = name === undefined ? undefined : stages.get(name);
    if (name !== undefined && from === undefined) throw new Error(`COPY --from=${name}: no such stage`);
    await copyStep(stage, step, from);
  } else if (keyword === 'ENV' || keyword === 'ARG') Object.assign(stage.env, settingsIn(text, stage.env));
  else if (keyword === 'WORKDIR') {
    stage.folder = text;
    await mkdir(inside(stage, '.'), { recursive: true });
  } else if (!notes.has(keyword)) throw new Error(`the tests do not support ${keyword}`);
};

const buildStage = async ({ base, steps }: Stage, stages: Stages): Promise<ScratchStage> => {
  const parent = stages.get(base);
  const stage = parent ? await stageFrom(parent) : await nodeStage();
  for (const step of steps) await carryOut(stage, step, stages);
  return stage;
};

/** Builds images in temporary folders. A stage shared by several Dockerfiles is built once. */
export const scratchBuilder = (): ((dockerfile: Dockerfile) => Promise<ScratchStage>) => {
  const built = new Map<string, ScratchStage>();

  return async ({ stages }) => {
    const own = new Map<string, ScratchStage>();
    for (const [at, stage] of stages.entries()) {
      // a stage depends on all stages before it
      const key = JSON.stringify(stages.slice(0, at + 1));
      const ready = built.get(key) ?? (await buildStage(stage, own));
      built.set(key, ready);
      own.set(stage.name ?? '', ready);
    }
    const image = own.get('');
    if (image === undefined) throw new Error('the last stage of a Dockerfile is the image and must have no name');
    return image;
  };
};
