import { z } from 'zod';
import { billOfMaterials } from './bill-of-materials.ts';

/** `licence`: an SPDX identifier or expression. */
export interface Licensed {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

const licenceSchema = z.union([
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
  z.object({ license: z.object({ id: z.string() }) }).transform(({ license }) => license.id),
  z.object({ license: z.object({ name: z.string() }) }).transform(({ license }) => license.name),
]);

const billSchema = z.object({
  components: z.array(
    z.object({
      group: z.string().optional(),
      name: z.string(),
      version: z.string(),
      licenses: z.array(licenceSchema).default([]),
    }),
  ),
});

/** All production dependencies of the apps, sorted by name, without the packages of this repository. */
export const productionLicences = (): Licensed[] => {
  const { status, stdout, stderr } = billOfMaterials();
  if (status !== 0) throw new Error(`cannot list the dependencies of the apps; pnpm failed:\n${stderr}${stdout}`);
  return billSchema
    .parse(JSON.parse(stdout))
    .components.filter(({ group }) => group !== '@leadback')
    .map(({ group, name, version, licenses }) => ({
      name: group === undefined ? name : `${group}/${name}`,
      version,
      licence: licenses.join(' AND ') || 'none named',
    }))
    .toSorted((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1));
};
