import { randomBytes, randomInt } from 'node:crypto';
import { hiddenFieldsIn } from '@leadback/testing';

/** A person whose every datum can be searched for. */
export interface Canary {
  readonly name: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly externalReference: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  /** In everything but the phone number and the IP address. */
  readonly word: string;
  /** Texts to search for, in lower case. */
  readonly marks: readonly string[];
}

export const givenCanary = (): Canary => {
  const word = `canary${randomBytes(6).toString('hex')}`;
  const [phone, host] = [String(randomInt(1e7, 1e8)), randomInt(2, 250)];
  const ipAddress = `198.51.100.${host}`;
  return {
    word,
    name: `Ana ${word}`,
    email: `${word}@Example.com`,
    phoneNumber: `+54 9 11 ${phone}`,
    externalReference: `customer-${word}`,
    ipAddress,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${word}/1.0`,
    marks: [word, phone, ipAddress],
  };
};

/** Visits a page as this person: everything that a browser can send carries the canary. Returns the lead reference. */
export const visitAs = async (canary: Canary, pageUrl: string): Promise<string> => {
  const { word, name, email, phoneNumber, ipAddress, userAgent } = canary;
  const url = `${pageUrl}?gclid=g-${word}&fbclid=f-${word}&utm_campaign=verano&note=${word}`;
  const headers = {
    'user-agent': userAgent,
    'accept-language': `es-AR,x-${word}`,
    'x-forwarded-for': ipAddress,
    referer: `https://ads.example/${word}`,
    cookie: `_fbp=fb.1.1558571054389.${word}; _fbc=fb.1.1558571054389.${word}`,
  };
  const shown = await (await fetch(url, { headers })).text();
  const form = new URLSearchParams({ ...hiddenFieldsIn(shown), name, email, phone: phoneNumber });
  const sent = await fetch(url, { method: 'POST', headers, body: form, redirect: 'manual' });
  return new URL(sent.headers.get('location') ?? url).searchParams.get('serviceId') ?? '';
};
