/** The handles of the leads on a visitor's page, in order. */
export const handlesIn = (html: string): string[] =>
  [...html.matchAll(/name="handle" value="(?<handle>[^"]+)"/g)].map(({ groups }) => groups?.['handle'] ?? '');
