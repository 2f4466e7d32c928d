import { givenConversion } from './given-conversion.ts';

const clickId = 'Canary-Click-Id';
const msclkid = 'ca11ab1ebabec0ffeec0dedfacade123';
const ipAddress = '203.0.113.77';
const userAgent = 'Canary/5.0 (X11; "Linux")';
const browserId = 'fb.1.1558571054389.1098115397';

export const canaryEmail = 'canary@example.com';

/** All data that can be known of a person and must not be stored. */
export const canaries = [clickId, msclkid, ipAddress, userAgent, canaryEmail, browserId];

/** A conversion with all of them. */
export const canaryConversion = givenConversion({
  client: { email: canaryEmail, phoneNumber: '+5491123456789', name: 'Canary Bird', externalReference: 'c-1' },
  lead: {
    clickParameters: {
      fbclid: clickId,
      gclid: clickId,
      ttclid: clickId,
      li_fat_id: clickId,
      msclkid,
      _fbp: browserId,
    },
    ipAddress,
    userAgent,
    landingUrl: `https://landing.example/offer?fbclid=${clickId}`,
  },
});
