import { commandOf, readDockerfile } from './dockerfile.ts';
import { type ImageProcess, startInImage } from './image-process.ts';
import { scratchBuilder } from './scratch-build.ts';
import { inside } from './scratch-stage.ts';

export interface BuiltImage {
  /** Its WORKDIR on this machine. */
  readonly folder: string;
  /** The ENTRYPOINT, CMD or HEALTHCHECK of its Dockerfile. */
  command(keyword: string): readonly string[];
  /** Starts a command with the image's environment and these settings. */
  start(command: readonly string[], settings: Readonly<Record<string, string>>): ImageProcess;
}

const build = scratchBuilder();

/** Builds the image of a folder of the repository, once per test file. */
export const builtImage = async (folder: string): Promise<BuiltImage> => {
  const dockerfile = readDockerfile(folder);
  const image = await build(dockerfile);
  return {
    folder: inside(image, '.'),
    command: (keyword) => commandOf(dockerfile.last, keyword),
    start: (command, settings) => startInImage(image, dockerfile.last, command, settings),
  };
};
