import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An image of others where a file names it. */
export interface NamedImage {
  readonly file: string;
  readonly line: number;
  /** As it is written: with its tag, and with its digest if it is pinned. */
  readonly image: string;
}

const digest = /@sha256:[0-9a-f]{64}$/;

export const withoutDigest = (image: string): string => image.replace(digest, '');
/** `sha256:…` */
export const pinnedDigest = (image: string): string | undefined => digest.exec(image)?.[0].slice(1);

/** The files that name images, if they are in the folder. */
export const imageFiles = (folder: string): readonly string[] => {
  const patterns = ['deploy/compose/*.yml', 'deploy/kubernetes/**/*.yaml'];
  const files = ['Dockerfile', 'docker-compose.yml', ...globSync(patterns, { cwd: folder }).toSorted()];
  return files.filter((file) => existsSync(join(folder, file)));
};

const inDockerfile = /^(FROM (?:--platform=\S+ )?|ARG \w+=)(\S+)/gm;
const inYaml = /^( *(?:- )?image: ['"]?)([^\s'"#]+)/gm;

/** Whether an image comes from a registry of others: not a stage, not what is built here. */
const isOfOthers = (text: string): ((start: string, image: string) => boolean) => {
  const stages = new Set(['scratch', ...Array.from(text.matchAll(/ AS (\S+)$/gim), ([, name]) => name)]);
  const bases = new Set(Array.from(text.matchAll(/^FROM \$\{?(\w+)/gm), ([, name]) => `ARG ${name}=`));
  return (start, image) =>
    !stages.has(image) &&
    !image.includes('$') &&
    !/(^|\/)leadback-/.test(image) &&
    (!start.startsWith('ARG ') || bases.has(start));
};

/** The text of a file, with each image of others replaced. */
export const replaceImages = (text: string, file: string, replace: (image: string, line: number) => string): string => {
  const isReplaced = isOfOthers(text);
  return text.replaceAll(
    /\.ya?ml$/.test(file) ? inYaml : inDockerfile,
    (whole, start: string, image: string, offset: number) =>
      isReplaced(start, image) ? start + replace(image, text.slice(0, offset).split('\n').length) : whole,
  );
};

/** The images of others that the files in a folder name, each as often as it is named. */
export const namedImages = (folder: string): readonly NamedImage[] =>
  imageFiles(folder).flatMap((file) => {
    const found: NamedImage[] = [];
    replaceImages(readFileSync(join(folder, file), 'utf8'), file, (image, line) => {
      found.push({ file, line, image });
      return image;
    });
    return found;
  });
