import { Refusal } from '@leadback/domain';

// workbooks are unpacked in memory: the file systems of the apps are read-only
const allBytesMax = 128 * 2 ** 20;

let all = 0;

/** What one workbook keeps in memory. All of them in a process share one bound. */
export class HeldBytes {
  #own = 0;

  /** Throws `overloaded` if other workbooks need the memory. */
  add(bytes: number): void {
    if (all + bytes > allBytesMax) throw new Refusal('overloaded');
    all += bytes;
    this.#own += bytes;
  }

  [Symbol.dispose](): void {
    all -= this.#own;
    this.#own = 0;
  }
}
