/** The largest file that can be imported. */
export const importBytesMax = 50 * 2 ** 20;

/** How large the imported files of an account and mode, which are kept with their results, may be together. */
export const importsBytesMax = 2 * 2 ** 30;
