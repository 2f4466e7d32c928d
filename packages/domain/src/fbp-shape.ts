/**
 * Meta's cookie `_fbp`: `fb.<subdomain index>.<creation time in ms>.<random number>`, optionally with the appendix of
 * Meta's parameter builder.
 */
export const fbpShape = /^fb\.\d+\.\d{13}\.\d{1,20}(\.[A-Za-z0-9_-]{2,8})?$/;
