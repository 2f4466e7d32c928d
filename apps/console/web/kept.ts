interface Kept {
  readonly read: () => string | null;
  readonly write: (value: string | null) => void;
}

/** A choice that the browser remembers. In a browser that stores nothing, it lasts until the page is closed. */
export const kept = (name: string): Kept => {
  let value: string | null = null;
  return {
    read: () => {
      try {
        return localStorage.getItem(name) ?? value;
      } catch {
        return value;
      }
    },
    write: (chosen) => {
      value = chosen;
      try {
        if (chosen === null) localStorage.removeItem(name);
        else localStorage.setItem(name, chosen);
      } catch {
        // the value above remains
      }
    },
  };
};
