import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageFiles, type NamedImage, namedImages, pinnedDigest, replaceImages, withoutDigest } from './image-names.ts';
import { digestOf } from './registry.ts';

export interface PinEnd {
  /** 1: an image is not pinned, or its tag has another digest now; 2: a digest is unknown. */
  readonly status: 0 | 1 | 2;
  readonly lines: readonly string[];
}

interface Asked {
  readonly digests: ReadonlyMap<string, string>;
  readonly failures: readonly string[];
}

/** Asks for each image once. */
const askFor = async (images: readonly string[], registry: string): Promise<Asked> => {
  const digests = new Map<string, string>();
  const failures: string[] = [];
  await Promise.all(
    images.map(async (image) => {
      try {
        digests.set(image, await digestOf(image, registry));
      } catch (error) {
        failures.push(`${image}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
  return { digests, failures: failures.toSorted() };
};

const tagsIn = (folder: string) => [...new Set(namedImages(folder).map(({ image }) => withoutDigest(image)))];

/** Writes the digest of each image behind its tag. Changes no file unless all digests are known. */
export const pinImages = async (folder: string, registry: string): Promise<PinEnd> => {
  const images = tagsIn(folder);
  const { digests, failures } = await askFor(images, registry);
  if (failures.length > 0) return { status: 2, lines: [...failures, 'No file was changed.'] };
  const pinned = (image: string) => `${withoutDigest(image)}@${digests.get(withoutDigest(image))}`;
  const changed: string[] = [];
  for (const file of imageFiles(folder)) {
    const before = readFileSync(join(folder, file), 'utf8');
    const after = replaceImages(before, file, pinned);
    if (after === before) continue;
    writeFileSync(join(folder, file), after);
    changed.push(file);
  }
  const summary = changed.length === 0 ? 'All images were pinned to these.' : `Changed: ${changed.join(', ')}`;
  return { status: 0, lines: [...images.map(pinned), summary] };
};

const isPinned = ({ image }: NamedImage) => pinnedDigest(image) !== undefined;

/** Compares without writing. */
export const checkPins = async (folder: string, registry: string): Promise<PinEnd> => {
  const named = namedImages(folder);
  const fix = 'Run: npm run pin-images';
  const unpinned = named
    .filter((one) => !isPinned(one))
    .map(({ file, line, image }) => `${file}:${line}: ${image} is not pinned. ${fix}`);
  const pinned = named.filter(isPinned);
  const { digests, failures } = await askFor([...new Set(pinned.map(({ image }) => withoutDigest(image)))], registry);
  const outdated = pinned.flatMap(({ file, line, image }) => {
    const digest = digests.get(withoutDigest(image));
    if (digest === undefined || digest === pinnedDigest(image)) return [];
    return [`${file}:${line}: ${image} is pinned, but the tag is ${digest} now. ${fix}`];
  });
  const problems = [...unpinned, ...outdated];
  if (problems.length > 0) return { status: 1, lines: [...problems, ...failures] };
  if (failures.length > 0) return { status: 2, lines: failures };
  return { status: 0, lines: [`All ${tagsIn(folder).length} images are pinned to what their tags are now.`] };
};
