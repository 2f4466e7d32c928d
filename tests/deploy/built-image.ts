import { commandOf, readDockerfile } from './dockerfile.ts';
import { type ImageProcess, startInImage } from './image-process.ts';
import { scratchBuilder } from './scratch-build.ts';
import { inside } from './scratch-stage.ts';

export interface BuiltImage {
  /** Where its WORKDIR is on this machine. */
  readonly folder: string;
  /** What its Dockerfile says of ENTRYPOINT, CMD or HEALTHCHECK. */
  command(keyword: string): readonly string[];
  /** Starts a command in it, told these settings besides its own. */
  start(command: readonly string[], settings: Readonly<Record<string, string>>): ImageProcess;
}

const build = scratchBuilder();

/** The image that the Dockerfile of a folder of the repository makes. A second time it is there already. */
export const builtImage = async (folder: string): Promise<BuiltImage> => {
  const dockerfile = readDockerfile(folder);
  const image = await build(dockerfile);
  return {
    folder: inside(image, '.'),
    command: (keyword) => commandOf(dockerfile.last, keyword),
    start: (command, settings) => startInImage(image, dockerfile.last, command, settings),
  };
};
