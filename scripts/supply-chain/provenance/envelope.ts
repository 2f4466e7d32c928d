import { type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';

const payloadType = 'application/vnd.in-toto+json';

const envelopeSchema = z.object({
  payload: z.base64(),
  payloadType: z.string(),
  signatures: z.array(z.object({ sig: z.base64() })).min(1),
});

/** What DSSE signs (https://github.com/secure-systems-lab/dsse): the lengths are in bytes. */
export const preAuthEncoding = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);

/** The envelope as a line of JSON. */
export const signed = (payload: Buffer, privateKey: KeyObject): string => {
  const sig = sign(null, preAuthEncoding(payloadType, payload), privateKey).toString('base64');
  // verifiers skip a signature whose keyid is not what they compute themselves, and each computes another
  const signatures = [{ keyid: '', sig }];
  return `${JSON.stringify({ payload: payload.toString('base64'), payloadType, signatures })}\n`;
};

const readEnvelope = (text: string): z.infer<typeof envelopeSchema> => {
  try {
    return envelopeSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error('it is not a DSSE envelope. Pass the .dsse.json file that "provenance sign" wrote', { cause });
  }
};

/** The signed bytes of an envelope. Throws if this key has not signed them. */
export const opened = (text: string, publicKey: KeyObject): Buffer => {
  const envelope = readEnvelope(text);
  if (envelope.payloadType !== payloadType)
    throw new Error(`its payload is ${envelope.payloadType}, not ${payloadType}. Pass an envelope of a statement`);
  const payload = Buffer.from(envelope.payload, 'base64');
  const encoded = preAuthEncoding(envelope.payloadType, payload);
  const isSigned = envelope.signatures.some(({ sig }) => verify(null, encoded, publicKey, Buffer.from(sig, 'base64')));
  if (!isSigned)
    throw new Error(
      'its signature is not of this key: the file was changed, or another key signed it. Get the file and the public key ' +
        'from the publisher again, and do not use the image before they match',
    );
  return payload;
};
