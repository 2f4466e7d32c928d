import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, From, type Instruction, ModifiableInstruction } from 'dockerfile-ast';
import { z } from 'zod';
import { repository } from './repository.ts';

export interface Step {
  readonly keyword: string;
  /** For example `from` of a COPY. */
  readonly flags: Readonly<Record<string, string>>;
  /** Without flags, in one line. */
  readonly text: string;
}

interface Stage {
  readonly name: string | undefined;
  /** An image, or an earlier stage. */
  readonly base: string;
  readonly steps: readonly Step[];
}

const stepOf = (instruction: Instruction): Step => {
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  return {
    keyword: instruction.getKeyword(),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    text: instruction.getArgumentsContent() ?? '',
  };
};

export const dockerfileText: string = readFileSync(join(repository, 'Dockerfile'), 'utf8');

const readStages = (): Stage[] => {
  const all: (Stage & { steps: Step[] })[] = [];
  for (const instruction of DockerfileParser.parse(dockerfileText).getInstructions()) {
    if (instruction instanceof From) {
      all.push({ name: instruction.getBuildStage() ?? undefined, base: instruction.getImage() ?? '', steps: [] });
    } else all.at(-1)?.steps.push(stepOf(instruction));
  }
  return all;
};

export const stages: readonly Stage[] = readStages();

/** The values of APP: the stages that become images. */
export const apps: readonly string[] = stages.flatMap(({ name, base }) => (base === 'app' && name ? [name] : []));

/** The instructions of a stage, after those of the stages that it is based on. */
export const stepsOf = (name: string): readonly Step[] => {
  const stage = stages.find((one) => one.name === name);
  return stage === undefined ? [] : [...stepsOf(stage.base), ...stage.steps];
};

/** The text of the last instruction of this kind, such as USER: the one that applies to the image of the app. */
export const textOf = (app: string, keyword: string): string | undefined =>
  stepsOf(app).findLast((step) => step.keyword === keyword)?.text;

/** A command in exec form, without a shell. Empty if there is none. */
export const commandOf = (app: string, keyword: 'CMD' | 'ENTRYPOINT' | 'HEALTHCHECK'): readonly string[] => {
  const text = textOf(app, keyword)?.replace(/^CMD /, '');
  return text === undefined || text === 'NONE' ? [] : z.array(z.string()).parse(JSON.parse(text));
};

/** The environment that the image sets. */
export const settingsOf = (app: string): Record<string, string> =>
  Object.fromEntries(
    stepsOf(app)
      .filter(({ keyword }) => keyword === 'ENV')
      .flatMap(({ text }) =>
        Array.from(text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g), ([, name = '', quoted, bare = '']) => [
          name,
          quoted ?? bare,
        ]),
      ),
  );
