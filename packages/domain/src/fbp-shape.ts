/**
 * What Meta's cookie `_fbp` holds: `fb.<subdomain index>.<creation time in ms>.<random number>`, perhaps with the appendix
 * of Meta's own library.
 */
export const fbpShape = /^fb\.\d+\.\d{13}\.\d{1,20}(\.[A-Za-z0-9_-]{2,8})?$/;
