import { givenConversion } from './given-conversion.ts';

export const client = {
  email: 'Ana.Perez@gmail.com',
  phoneNumber: '011 15-2345-6789',
  name: 'Ana Pérez',
  externalReference: 'c 1',
};
export const browser = {
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  landingUrl: 'https://landing.example/offer?x=ñ y',
  acceptLanguage: 'es-AR,es;q=0.9',
  referrer: 'https://www.tiktok.com/',
};

export const everything = givenConversion({
  client,
  lead: {
    ...browser,
    clickParameters: {
      fbclid: 'IwAR-_x',
      gclid: 'CjwK',
      ttclid: 'E.C.P.CroB',
      li_fat_id: 'df5gf5-gh6t7-ph4j7h-fgf6n1',
      msclkid: 'f894f652ea334e739002f7167ab8f8e3',
      _fbp: 'fb.1.1558571054389.1',
      _ttp: '2Lx3_kCfVb9MGzCzb0',
    },
  },
});
export const conversions = [
  ['everything', everything],
  ['contact data alone', givenConversion({ client, amount: '0.00', currency: 'ARS' })],
  [
    'clicks alone',
    givenConversion({
      lead: {
        clickParameters: {
          fbclid: 'IwAR',
          wbraid: 'CjkK',
          ttclid: 'E.C.P',
          li_fat_id: 'df5gf5-gh6t7',
          msclkid: 'F894F652EA334E739002F7167AB8F8E3',
        },
      },
    }),
  ],
  [
    'clicks beside contact data',
    givenConversion({ client, lead: { clickParameters: { _fbc: 'fb.1.1795262400000.A.AQYB', gbraid: 'CjkK' } } }),
  ],
  ['a visitor with IPv6', givenConversion({ client, lead: { ...browser, ipAddress: '2001:db8::1' } })],
  ['a visitor behind a proxy', givenConversion({ client, lead: { ...browser, ipAddress: '::ffff:10.0.0.5' } })],
  [
    'a visitor with invented data',
    givenConversion({
      client,
      lead: {
        ...browser,
        clickParameters: {
          fbclid: '<b>&"%00',
          gclid: '<script>',
          ttclid: '<i>',
          li_fat_id: '<b>',
          msclkid: '<p>',
          _ttp: '<u>',
          _fbp: 'fb.1.2.x',
          _fbc: '..',
        },
        acceptLanguage: '<i>,es',
        referrer: 'javascript:1',
      },
    }),
  ],
] as const;
