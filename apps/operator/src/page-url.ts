export const pageUrl = (landingUrl: string, path: string): string =>
  new URL(path, `${landingUrl.replace(/\/$/, '')}/`).href;
