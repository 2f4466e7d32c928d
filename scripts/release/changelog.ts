const emptyPart = '## Unreleased\n\n### Upgrade\nNothing.\n\n';

const titleOf = (part = ''): string => (/^## (.*)$/m.exec(part)?.[1] ?? '').trim();

/** Whether a part says something: under Upgrade a list or, once there is any, something else than that there is nothing. */
const saysSomething = (part: string): boolean => part.trim() !== emptyPart.trim();

/**
 * The changelog of a release: what was unreleased is of this version, and an empty part begins. Unchanged if the version has
 * its part already.
 */
export const releasedChangelog = (text: string, version: string): string => {
  const [head = '', unreleased = '', ...others] = text.split(/^(?=## )/m);
  if (titleOf(unreleased) !== 'Unreleased') throw new Error('CHANGELOG.md does not begin with "## Unreleased"');
  const hasPart = others.some((part) => titleOf(part) === version);
  if (hasPart && saysSomething(unreleased))
    throw new Error(`CHANGELOG.md has a part ${version}, and lines under Unreleased: make one of them`);
  if (hasPart) return text;
  if (!saysSomething(unreleased)) throw new Error('CHANGELOG.md has nothing under Unreleased');
  return [head, emptyPart, unreleased.replace('## Unreleased', `## ${version}`), ...others].join('');
};
