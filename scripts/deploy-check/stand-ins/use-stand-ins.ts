import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageFiles, replaceImages, withoutDigest } from '../../supply-chain/pinning/image-names.ts';
import type { Engine } from '../engine/bring-engine.ts';

type Asked = Pick<Engine, 'tryDocker'>;

/** The version of a stand-in, empty for an image of a registry, undefined if there is no image. */
export const labelOf = async ({ tryDocker }: Asked, image: string): Promise<string | undefined> => {
  const format = '{{with .Config.Labels}}{{index . "leadback.stand-in"}}{{end}}';
  const { status, stdout } = await tryDocker('image', 'inspect', '--format', format, image);
  return status === 0 ? stdout.trim() : undefined;
};

/** Whether an image is pinned to a digest that is not here, and a stand-in has its tag: a stand-in cannot have a digest. */
const isReplaced = async (engine: Asked, image: string): Promise<boolean> =>
  withoutDigest(image) !== image &&
  (await labelOf(engine, image)) === undefined &&
  Boolean(await labelOf(engine, withoutDigest(image)));

/**
 * Removes the digests of images that have stand-ins from the files in a folder, because an engine asks a registry for a
 * digest. Returns how to write the files as they were.
 */
export const useStandIns = async (engine: Asked, folder: string): Promise<() => void> => {
  const written = new Map<string, string>();
  for (const name of imageFiles(folder)) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    const images = new Set<string>();
    replaceImages(text, name, (image) => {
      images.add(image);
      return image;
    });
    const replaced = new Set<string>();
    for (const image of images) if (await isReplaced(engine, image)) replaced.add(image);
    if (replaced.size === 0) continue;
    written.set(file, text);
    writeFileSync(
      file,
      replaceImages(text, name, (image) => (replaced.has(image) ? withoutDigest(image) : image)),
    );
  }
  return () => {
    for (const [file, text] of written) writeFileSync(file, text);
  };
};
