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

export interface Stage {
  readonly name: string | undefined;
  /** An image, or an earlier stage. */
  readonly base: string;
  readonly steps: readonly Step[];
}

export interface Dockerfile {
  /** Relative to the repository. */
  readonly folder: string;
  readonly text: string;
  readonly stages: readonly Stage[];
  /** The stage that becomes the image. */
  readonly last: Stage;
}

const stepOf = (instruction: Instruction): Step => {
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  return {
    keyword: instruction.getKeyword(),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    text: instruction.getArgumentsContent() ?? '',
  };
};

export const readDockerfile = (folder: string): Dockerfile => {
  const text = readFileSync(join(repository, folder, 'Dockerfile'), 'utf8');
  const stages: (Stage & { steps: Step[] })[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction instanceof From) {
      const name = instruction.getBuildStage() ?? undefined;
      stages.push({ name, base: instruction.getImage() ?? '', steps: [] });
    } else stages.at(-1)?.steps.push(stepOf(instruction));
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error(`${folder}/Dockerfile has no FROM`);
  return { folder, text, stages, last };
};

/** The text of the last instruction of this kind, such as USER: the one that applies. */
export const textOf = (stage: Stage, keyword: string): string | undefined =>
  stage.steps.findLast((step) => step.keyword === keyword)?.text;

/** A command in exec form, without a shell. Empty if there is none. */
export const commandOf = (stage: Stage, keyword: string): readonly string[] => {
  const text = textOf(stage, keyword)?.replace(/^CMD /, '');
  return text === undefined || text === 'NONE' ? [] : z.array(z.string()).parse(JSON.parse(text));
};
