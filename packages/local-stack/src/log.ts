/** Told, line by line, what takes its time. */
export type Log = (line: string) => void;
