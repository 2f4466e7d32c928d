/** The largest file that can be imported. */
export const importBytesMax = 50 * 2 ** 20;
