/** Every token or secret is valid unless it contains `revoked`. */
export const isRevoked = (secret: string): boolean => secret.includes('revoked');

/** The token of `Authorization: Bearer`. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
