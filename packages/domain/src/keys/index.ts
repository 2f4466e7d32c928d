export * from './erasure-receipt.ts';
export * from './keys.ts';
export * from './tokens.ts';
