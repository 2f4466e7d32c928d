/**
 * What the platforms expect of an identifier, in rows of `[written, SHA-256 to send or null]`. Sources: Meta's
 * documentation and parameter builder (capi-param-builder-nodejs 1.3.2), Google's own formatter
 * (googleads/data-manager-node e7987f8).
 */
type Rows = readonly (readonly [written: string, sha256: string | null])[];

export const metaEmails: Rows = [
  ['John_Smith@gmail.com', '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f'],
  ['JOHN_SMITH@GMAIL.COM', '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f'],
  ['User.Name+NYC@Example.com', 'f109a2a632fbcea5fc82049f50beed3d8621bf9034399f437fb622222acccdac'],
  ['José@example.com', null],
  ['user@münchen.example', null],
  ['user @example.com', null],
  ['not-an-email', null],
  ['a@b@c.com', null],
  ['', null],
  [
    '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
    '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
  ],
  ['5d41402abc4b2a76b9719d911017c592', null],
];

export const names: Rows = [
  ['Mary', '6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec'],
  ['  MARY  ', '6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec'],
  ['Valéry', '08e1996b5dd49e62a4b4c010d44e4345592a863bb9f8e3976219bac29417149c'],
  ['José María', 'a6a9049d39c4dd1cc332a44c64da6e6ce99e4ddbc1e9b6595e7f7bad60ef5ef6'],
  ["D'Angelo", '82f86db06baeb9b2c728c5127035da8c1d5e2cad7193eb80bf0beb2476d6f34a'],
  ['J.', '189f40034be7a199f1fa9891668ee3ab6049f82d38c68be70f596eab2e1857b7'],
  ['Ñandú', '43dbd6bf7148e6e6584eee6d8b61ab8e5dd76374c4587cdabd50a3274e11f9d3'],
  ['O’Brien', 'b4cb6cb33fe4b865868de825023a1e2790dc12ac01ecc8d7c5afe8254071c8ba'],
  ['Anne  Marie', '67495eb5715de43c26f7c18b25cc7f62a7540236516bd59d5162a6f743598083'],
  ['   ', null],
  [
    '6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec',
    '6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec',
  ],
  ['Smith', '6627835f988e2c5e50533d491163072d3f4f41f5c8b04630150debb3722ca2dd'],
  ['García-Márquez', 'b58c578405e0cba820c23585208b3d18c30bd7abbf7c5550ddb69b80e84309ce'],
  ['von der Leyen', 'a8d8d674211dab33d7bb6a705c28e730f98f4e09c56b267435e3d830682882b8'],
  ['Nuñez', 'f6ee912a118b3cf3164ddb49bdc421aa8041c0ece7b730a0fa4a61cb563fbb17'],
  ['', null],
  ['d’Ávila', 'd02479935c41ea85efe078b88d2efc87541c0d02fef38b91e99ffa802da6e421'],
];

export const metaExternalIds: Rows = [
  ['client-123', 'b44ea687b506d5ca725c434cbe69d0cd3cd0cdae245cd337e6013c6c6ed9017a'],
  ['CLIENT 123', '186474c1f2c2f735a54c2cf82ee8e87f2a5cd30940e280029363fecedfc5328c'],
  [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ],
  ['', null],
];

export const googleEmails: Rows = [
  ['alexz@example.com', '509e933019bb285a134a9334b8bb679dff79d0ce023d529af4bd744d47b4fd8a'],
  ['QuinnY@EXAMPLE.com', 'd00d0a7c6d491b3782fd78b410748048859e16467faa0651f060978d4bb343cc'],
  ['jefferson.Loves.hiking@gmail.com', '515d2f967f73864e76937ab2b897210a86fd286016903b1b08c3da07c75f513e'],
  ['jefferson.Loves.hiking@googlemail.com', '2824967181c781aced84c32bf8bb51fc6401202eeff88263776f63c99df9314c'],
  ['Cloudy.SanFrancisco+shopping@googlemail.com', '332ed5427d17deb381928a719533e85046d68d7e45553abb805852b7d631fcb7'],
  ['first.last+promo@hotmail.com', '97fa2acb2a5048aa40eb8c4ab84a31931cf3af4c52b00795b19c65852a0e055f'],
  ['...@gmail.com', null],
  ['user@münchen.example', 'c5d6bf0380835661a56bcf3325015fe5e0e8e6c60d17cae3b8969ec04486027f'],
  ['\tuser@example.com\n', 'b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514'],
  ['@example.com', null],
  ['a@b@c.com', null],
  ['', null],
  ['user@example', null],
  [
    '509E933019BB285A134A9334B8BB679DFF79D0CE023D529AF4BD744D47B4FD8A',
    '509e933019bb285a134a9334b8bb679dff79d0ce023d529af4bd744d47b4fd8a',
  ],
];

/** Only trimmed and lower-cased, as in Segment's `tiktok-conversions/formatter.ts`. */
export const tiktokEmails: Rows = [
  ['John_Smith@gmail.com', '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f'],
  ['User.Name+NYC@Example.com', 'f109a2a632fbcea5fc82049f50beed3d8621bf9034399f437fb622222acccdac'],
  ['\tuser@example.com\n', 'b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514'],
  ['user@münchen.example', 'c5d6bf0380835661a56bcf3325015fe5e0e8e6c60d17cae3b8969ec04486027f'],
  [
    '62A14E44F765419D10FEA99367361A727C12365E2520F32218D505ED9AA0F62F',
    '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
  ],
  ['not-an-email', null],
  ['a@b@c.com', null],
  ['', null],
];

/** `[written, for an account in AR, in US, in an unknown country]`, in E.164. */
export const phoneNumbers: readonly (readonly [string, string | null, string | null, string | null])[] = [
  ['16505551212', '+16505551212', '+16505551212', '+16505551212'],
  ['1-(650)-561-5622', '+16505615622', '+16505615622', '+16505615622'],
  ['+54 11 2345-6789', '+541123456789', '+541123456789', '+541123456789'],
  ['54 9 11 2345 6789', '+5491123456789', '+5491123456789', '+5491123456789'],
  ['011 15-2345-6789', '+5491123456789', null, null],
  ['11 2345-6789', '+541123456789', null, null],
  ['(555) 123-4567', null, null, null],
  ['+44 (0)20 7946 0958', '+442079460958', '+442079460958', '+442079460958'],
  ['+1 650 555 1212 ext. 123', '+16505551212', '+16505551212', '+16505551212'],
  ['＋５４ ９ １１ ２３４５ ６７８９', '+5491123456789', '+5491123456789', '+5491123456789'],
  ['000', null, null, null],
  ['+', null, null, null],
  ['', null, null, null],
  ['+1234567890123456789', null, null, null],
  ['1 800 555 0100', '+18005550100', '+18005550100', '+18005550100'],
  ['+1 800-555-0100', '+18005550100', '+18005550100', '+18005550100'],
  ['+44-113-496-0987', '+441134960987', '+441134960987', '+441134960987'],
  ['+54 9 11 2345-6789', '+5491123456789', '+5491123456789', '+5491123456789'],
  ['+abc-DEF', null, null, null],
  ['0', null, null, null],
  ['   ', null, null, null],
];

/** The same number is hashed without its plus for Meta, and with it for Google and TikTok. */
export const metaPhoneHashes: Rows = [
  ['+16505551212', 'e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176'],
  ['+16505615622', 'c7e1a5948418c64b472abbe6a7b443ec83c4e31573874d600de828f89dd71339'],
  ['+541123456789', '097693224047d8d90c77c6432c41936b842671ec532d02df822bc4a238eaaa3b'],
  ['+5491123456789', 'e9a22549bbbbccb976d0c751b7e5ea194ae62fa6a6f1ba97e9e9940441acde71'],
  ['+442079460958', '35e206e5dec4c89b9e8b71b8c32724a5bb518483ac5a20c6617d738375b3b823'],
];

export const googlePhoneHashes: Rows = [
  ['+18005550100', 'fb4f73a6ec5fdb7077d564cdd22c3554b43ce49168550c3b12c547b78c517b30'],
  ['+441134960987', '0fac52d27ec377f8ad2f9de75d1f9bace693237e31868ae6f4616b8bbd0e94fb'],
  ['+5491123456789', '790e47a4a8aeeed031d32be19de28e8880e89e80de18371c042874fc0367303c'],
  ['+16505551212', '1e231c66011e7a2d867a9cfae267a6aff103cf4913640b6e71a99850fc0ffbc8'],
];

/** `[full name, fn, ln]`. */
export const fullNames: readonly (readonly [string, string | null, string | null])[] = [
  [
    'John Smith',
    '96d9632f363564cc3032521409cf22a852f2032eec099ed5967c0d000cec607a',
    '6627835f988e2c5e50533d491163072d3f4f41f5c8b04630150debb3722ca2dd',
  ],
  ['Madonna', '3d553499ef2d0924b7f878f1d3dbd5ca08662d428f28b0090113fe5ade93e556', null],
  [
    'Jean-Pierre de la Cruz',
    'fbcc8fa66b9a007dc3649ee989950d38f12ed91b9f18a3d215b04ff77546dca0',
    '6e612c2cd2e7b0e9ebcee301bc7102e8b300fa3df820693946b20e1b9a8793fa',
  ],
  ['', null, null],
  [
    "Sinéad O'Connor",
    '4f839be79a8ac735463670decedcd24fc12a4da8dd040139ed4f5e4b4c9b3065',
    '7a0fbfdf40cbeb97429bdb88f512cecd27f0d44b7e57986ab578423bb61936ac',
  ],
];
