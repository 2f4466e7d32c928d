import { createPublicKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { opened, preAuthEncoding, signed } from './envelope.ts';
import { temporaryKey } from './keys.ts';

const key = temporaryKey();
const publicKey = createPublicKey(key);
const payload = Buffer.from('{"statement":"é"}');
const envelope = signed(payload, key);

const envelopeSchema = z.object({ payload: z.string(), payloadType: z.string(), signatures: z.tuple([z.unknown()]) });
const parts = envelopeSchema.parse(JSON.parse(envelope));

it('encodes what DSSE signs as its protocol prescribes, with lengths in bytes', () => {
  expect(preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
    'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  );
  expect(preAuthEncoding('é', payload).toString()).toBe('DSSEv1 2 é 18 {"statement":"é"}');
});

it('opens an envelope with the public key of its signer', () => {
  expect(opened(envelope, publicKey)).toEqual(payload);
});

it('accepts an envelope that one of several keys has signed', () => {
  const [other] = envelopeSchema.parse(JSON.parse(signed(payload, temporaryKey()))).signatures;
  const both = JSON.stringify({ ...parts, signatures: [other, ...parts.signatures] });
  expect(opened(both, publicKey)).toEqual(payload);
});

it('refuses an envelope in which any one byte of the payload was changed', () => {
  for (const index of payload.keys()) {
    const changed = Buffer.from(payload);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    const text = JSON.stringify({ ...parts, payload: changed.toString('base64') });
    expect(() => opened(text, publicKey)).toThrow('the file was changed, or another key signed it');
  }
});

it('refuses an envelope that another key has signed', () => {
  expect(() => opened(envelope, createPublicKey(temporaryKey()))).toThrow('or another key signed it');
});

it.each([
  ['has no signature', { ...parts, signatures: [] }, 'it is not a DSSE envelope'],
  ['is a statement without an envelope', { _type: 'https://in-toto.io/Statement/v1' }, 'it is not a DSSE envelope'],
  ['has a payload of another type', { ...parts, payloadType: 'text/plain' }, 'its payload is text/plain'],
])('refuses a file that %s', (_name, content, message) => {
  expect(() => opened(JSON.stringify(content), publicKey)).toThrow(message);
});
