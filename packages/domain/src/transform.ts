/**
 * For `schema.pipe(transform(change))`, which is `schema.transform(change)` for fields that each request has. The method
 * makes a function for every value, by which `change` could add issues. V8 puts it into the old generation at once, since it
 * is assigned to a property, and there it keeps its request from being collected.
 */
export { transform } from 'zod/mini';
