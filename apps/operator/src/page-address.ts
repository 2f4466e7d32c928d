/** The address below the landing app's own. */
export const pageAddress = (landingUrl: string, path: string): string =>
  new URL(path, `${landingUrl.replace(/\/$/, '')}/`).href;
