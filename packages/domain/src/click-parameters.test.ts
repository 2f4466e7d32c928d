import { describe, expect, it } from 'vitest';
import { capturedText, judgeClickId, readClickParameters } from './click-parameters.ts';
import { type ClickIdName, clickIdNames } from './lead.ts';

describe('capturedText', () => {
  it('keeps captured text unchanged', () => {
    expect(capturedText('IwAR2F4-dbP0_Ü 😀')).toBe('IwAR2F4-dbP0_Ü 😀');
  });

  it('cuts captured text at 512 code points', () => {
    expect(capturedText('😀'.repeat(600))).toBe('😀'.repeat(512));
  });

  it('removes control characters and replaces unpaired surrogates', () => {
    expect(capturedText('a\u0000b\r\nc\u0085d\ud800')).toBe('abcd\ufffd');
  });

  it.each([undefined, null, '', '\n'])('turns captured text without characters into null: %j', (value) => {
    expect(capturedText(value)).toBeNull();
  });
});

const nowMs = Date.parse('2026-11-29T12:00:00Z');
const read = (query: string) => readClickParameters(query, nowMs);
const both = { utm_source: 'x', gclid: 'Cj0K' };

describe('readClickParameters', () => {
  it.each([
    ['utm_source=x&gclid=Cj0K', both],
    ['utm_source=x&amp;gclid=Cj0K', both],
    ['utm_source=x&amp;amp;gclid=Cj0K', both],
    ['utm_source=x&AMP;gclid=Cj0K', both],
    ['utm_source=x&amp%3Bgclid=Cj0K', both],
    ['utm_source=x&#38;gclid=Cj0K', both],
    ['utm_source=x&#x26;gclid=Cj0K', both],
    ['utm_source=x%26gclid%3DCj0K', both],
    ['utm_source=x%26gclid=Cj0K', both],
    ['utm_source=x%26amp%3Bgclid%3DCj0K', both],
    ['utm_source=x%2526gclid%253DCj0K', both],
    ['utm_source=x;gclid=Cj0K', both],
    ['utm_source=x%3Bgclid=Cj0K', both],
    ['utm_source=x%23gclid=Cj0K', both],
    ['utm_source=x#gclid=Cj0K', both],
    ['utm_source=x?gclid=Cj0K', both],
    ['utm_source=x%3Fgclid%3DCj0K', both],
    ['utm_source=x??gclid=Cj0K', both],
    ['?utm_source=x&?gclid=Cj0K', both],
    ['utm_source%3Dx%26gclid%3DCj0K', both],
    ['utm_source=x&%20gclid=Cj0K', both],
    ['utm_source=x&+gclid=%20Cj0K%20', both],
    ['foo=1%26utm_source%3Dx;gclid=Cj0K', both],
    ['utm_source=x&foo=1;gclid=Cj0K', both],
    ['utm_source=x;gclid=Cj0K;foo=bar', both],
    ['utm_source=x&gclid=Cj0K?foo=bar', both],
    ['utm_source=x&gclid=Cj0K%23section', both],
    ['utm_source=x?GCLID=Cj0K', both],
    ['utm_source=fb?gclid=Cj0Ktwoq&fbclid=IwARtwoq', { utm_source: 'fb', gclid: 'Cj0Ktwoq', fbclid: 'IwARtwoq' }],
    ['utm_source=x&gad_source=1&gad_campaignid=23', { utm_source: 'x', gad_source: '1', gad_campaignid: '23' }],
  ])('finds known names behind any separator: %s', (query, clickParameters) => {
    expect(read(query)).toEqual({ clickParameters, clickedAtMs: {}, unusableClicks: {} });
  });

  it.each([
    ['gclid=Cj0K&utm_source=x%26gclid%3DOther', both],
    ['utm_source=x?gclid=Other&gclid=Cj0K', both],
    ['utm_source=x&gclid=Cj0K&gclid=Other', both],
    ['utm_source=x&gclid=&gclid=Cj0K', both],
    ['utm_source=x&gclid=%7Bgclid%7D&gclid=Cj0K', both],
    ['utm_source=x&gclid=null&GCLID=Cj0K', both],
    ['utm_source=x&gclid=%7Bgclid%7D&foo=1;gclid=Cj0K', both],
    ['utm_source=x&utm_source=y%26gclid%3DCj0K', both],
  ])('takes the first usable value that was sent properly: %s', (query, clickParameters) => {
    expect(read(query).clickParameters).toEqual(clickParameters);
  });

  it.each([
    ['utm_campaign=Fish%26Chips', { utm_campaign: 'Fish&Chips' }],
    ['utm_campaign=why%3F%20now;%20or%20never', { utm_campaign: 'why? now; or never' }],
    ['utm_term=c%23%20course', { utm_term: 'c# course' }],
    ['utm_content=50%25%20off', { utm_content: '50% off' }],
    ['utm_content=a%3Db', { utm_content: 'a=b' }],
    ['utm_content=%26gclidx%3D1', { utm_content: '&gclidx=1' }],
    ['utm_content=gclid%3D1', { utm_content: 'gclid=1' }],
    ['next=https%3A%2F%2Fshop.example%2F%3Fgclid%3DCj0Kother', {}],
    ['xgclid=Cj0K&gclid[]=Cj0K&gclid2=Cj0K', {}],
    ['', {}],
    ['&&=&?&%&;', {}],
    ['gclid', {}],
  ])('leaves alone what only resembles a parameter: %s', (query, clickParameters) => {
    expect(read(query).clickParameters).toEqual(clickParameters);
  });

  it.each(
    clickIdNames.flatMap((name) =>
      [name, name.toUpperCase(), name.toLowerCase(), name.replace(/^./, (c) => c.toUpperCase())].map(
        (written) => [written, name] as const,
      ),
    ),
  )('finds %s as %s, and keeps the letters of its value', (written, name) => {
    const id = name === 'msclkid' ? '0123456789abcdef0123456789ABCDEF' : 'AbC-12_xYz';
    expect(read(`${written}=${id}`).clickParameters).toEqual({ [name]: id });
  });

  it.each(['UTM_SOURCE', 'Utm_Source', 'utm_SOURCE', 'amp;UTM_source'])('finds %s as utm_source', (written) => {
    expect(read(`${written}=Face%20Book`).clickParameters).toEqual({ utm_source: 'Face Book' });
  });
});

const searched = (count: number) => `a=${'&a;b'.repeat(count)}`;

it('keeps the cookies of pixels as they are, and no others', () => {
  const cookies: Readonly<Record<string, string>> = {
    _fbc: 'fb.1.1793312345678.IwAR3abc',
    _ttp: '2Tt-p_',
    _epik: 'dj0yJnU9',
    _scid: 'a1B2-c3',
    _rdt_uuid: '1793312345678.f0e1',
    _ga: 'GA1.1.1.1',
  };
  const { _ga, ...kept } = cookies;
  expect(readClickParameters('', nowMs, (name) => cookies[name]).clickParameters).toEqual(kept);
});

const templates = [
  '{gclid}',
  '{{fbclid}}',
  '{{ fbclid }}',
  '${GCLID}',
  '$(gclid)',
  '__CLICKID__',
  '__clickid__',
  '%%fbclid%%',
  '%%CLICK_URL_UNESC%%',
  '%gclid%',
  '[gclid]',
  '[CLICK_ID]',
  '<gclid>',
  '<%= gclid %>',
  '{gclid',
  'gclid}',
  '*|GCLID|*',
  '#gclid#',
  '@gclid@',
  '$gclid',
  ':gclid',
  '((gclid))',
  '%7Bgclid%7D',
  '%257B%257Bfbclid%257D%257D',
  '%3Cgclid%3E',
  'x-{gclid}',
];

const words = [
  'undefined',
  'null',
  'NULL',
  'None',
  'nan',
  'N/A',
  '(none)',
  '(not set)',
  'test',
  'TEST123',
  'test-click-id',
  'YOUR_FBCLID',
  'your_gclid_here',
  'CLICKID_HERE',
  'INSERT-GCLID',
  'gclid',
  'clickid',
  '0',
  '-',
  '00000000-0000-0000-0000-000000000000',
  'xxxxxxxxxxxx',
  '123456789',
  '[object Object]',
  'true',
  'false',
  'example',
  '...',
];

describe('judgeClickId', () => {
  it.each(templates.flatMap((sent) => clickIdNames.map((name) => [sent, name] as const)))(
    'takes the template %s for no %s',
    (sent, name) => expect(judgeClickId(name, sent, nowMs)).toEqual({ kind: 'unusable', reason: 'template' }),
  );

  it.each(
    words.filter((word) => !word.startsWith('[')).flatMap((sent) => clickIdNames.map((name) => [sent, name] as const)),
  )('takes the word %s for no %s', (sent, name) =>
    expect(judgeClickId(name, sent, nowMs)).toEqual({ kind: 'unusable', reason: 'placeholder' }),
  );

  it.each<[ClickIdName, string]>([
    ['gclid', 'Cj0KCQiA 3sq6'],
    ['gclid', 'año'],
    ['gclid', 'a/b'],
    ['gclid', 'ana@example.com'],
    ['gbraid', 'GCL.1693312345.'],
    ['gbraid', 'GCL.x.Cj0K'],
    ['gclid', 'Cj0K%20x'],
    ['wbraid', 'Cj0K,Cj0L'],
    ['fbclid', 'Iw AR'],
    ['fbclid', 'Iw.AR'],
    ['fbclid', "IwAR'--"],
    ['ttclid', 'E.C'],
    ['ttclid', 'E.C P.CroB'],
    ['ttclid', 'E/C/P'],
    ['li_fat_id', 'short'],
    ['li_fat_id', 'df5gf5.gh6t7.ef4j5k'],
    ['msclkid', '1234abcd'],
    ['msclkid', '0123456789abcdef0123456789abcdeg'],
    ['msclkid', '01234567-89ab-cdef-0123456789abcdef'],
    ['fbclid', '""Iw AR"'],
    ['epik', 'dj0y Jn'],
    ['ScCid', 'a,b'],
    ['twclid', '2-3k4j"x'],
    ['rdt_cid', '51 x'],
  ])('takes for no %s what its platform gives to no click: %s', (name, sent) => {
    expect(judgeClickId(name, sent, nowMs)).toEqual({ kind: 'unusable', reason: 'malformed' });
  });

  it.each<[ClickIdName, string]>([
    ['gclid', 'EAIaIQobChMI2LTEt7-V2QIVjIGPCh0pXgmREAAYASAAEgKyWvD_BwE'],
    ['gclid', 'Cj0KCQiA3sq6BhD2ARIsAJ8MRwVx-1mZ0dS7wJ9_fEALw_wcB'],
    ['gclid', 'CI6jw6jw_c4CFQEFkQodb2wLYA'],
    ['gclid', 'TeSter-123'],
    ['gbraid', '0AAAAADuzH2lFpXb2sYzvYqKkqGqW7Yx9z'],
    ['wbraid', 'CkAKCAjw9uKIBhAPEjAAJ2Bf_x5Q='],
    ['fbclid', 'IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk'],
    ['fbclid', 'PAZXh0bgNhZW0BMABhZGlkAasUZ_aem_AbC-12'],
    ['fbclid', 'IwY2xjawF+IwY2xjawF/AbC=='],
    ['fbclid', 'IwZXh0bgNhZW0BMAABHa~x:y'],
    ['ttclid', 'E.C.P.CroBXpgjCrTgHk4S_1iWfB9l2g7h3Y-x~z='],
    ['ttclid', 'E_C_P_CroB'],
    ['li_fat_id', '3b7c8f1e-2f1c-4d9d-8e73-6a7d5b1f0c42'],
    ['msclkid', 'b1240587f865192a03586c5b000314f5'],
    ['msclkid', 'B1240587F865192A03586C5B000314F5'],
    ['epik', 'dj0yJnU9VFhqM3lpYlJlZ0t6QUlvJnA9MCZuPWxEa2t0PUFBQUFBR0'],
    ['ScCid', 'a1B2c3D4-0001-4abc-9def-0123456789ab'],
    ['twclid', '2-3k4j5h6g7f8d9s0a1q2w3e4r5'],
    ['rdt_cid', '5177012345678901234'],
    ['gclid', '__'.concat('Cj0K_x1')],
    ['gclid', 'x'],
    ['twclid', 'x'],
    ['epik', 'dj0yJnU9/'],
  ])('takes for %s a value as its platform writes it: %s', (name, sent) => {
    expect(judgeClickId(name, sent, nowMs)).toEqual({ kind: 'usable', id: sent });
  });

  it.each<[ClickIdName, string, string]>([
    ['gclid', '"EAIaIQ_x"', 'EAIaIQ_x'],
    ['gclid', "'EAIaIQ_x'", 'EAIaIQ_x'],
    ['gclid', 'EAIaIQ_x/', 'EAIaIQ_x'],
    ['gclid', '\u200bEAIaIQ_x', 'EAIaIQ_x'],
    ['gclid', 'EAIaIQ_x\ufeff', 'EAIaIQ_x'],
    ['gclid', 'EAIaIQ%5Fx%3D%3D', 'EAIaIQ_x=='],
    ['gclid', 'EAIaIQ_x%253D', 'EAIaIQ_x='],
    ['gclid', '%22EAIaIQ_x%22', 'EAIaIQ_x'],
    ['gclid', '"GCL.9999999999.EAIaIQ_x"', 'EAIaIQ_x'],
    ['wbraid', 'CkAK_w%0A', 'CkAK_w'],
    ['fbclid', '"IwAR3abc"', 'IwAR3abc'],
    ['fbclid', 'IwAR3abc%2Fx', 'IwAR3abc/x'],
    ['ttclid', 'E.C.P.CroB%3D', 'E.C.P.CroB='],
    ['ttclid', 'E.C.P.CroB/', 'E.C.P.CroB'],
    ['li_fat_id', '"3b7c8f1e-2f1c-4d9d-8e73-6a7d5b1f0c42x"', '3b7c8f1e-2f1c-4d9d-8e73-6a7d5b1f0c42x'],
    ['msclkid', 'b1240587-f865-192a-0358-6c5b000314f5', 'b1240587f865192a03586c5b000314f5'],
    ['msclkid', '"b1240587f865192a03586c5b000314f5"', 'b1240587f865192a03586c5b000314f5'],
    ['epik', 'dj0yJnU9fQ%3D%3D', 'dj0yJnU9fQ=='],
    ['twclid', '"2-3k4j"', '2-3k4j'],
    ['rdt_cid', '5177012345678901234"', '5177012345678901234'],
  ])('takes for %s the id in what was changed on its way: %s', (name, sent, id) => {
    expect(judgeClickId(name, sent, nowMs)).toEqual({ kind: 'usable', id });
  });

  const clickedAtMs = 1_793_312_345_678;
  it.each<[ClickIdName, string, string, number | undefined]>([
    ['gclid', 'GCL.1693312345.EAIaIQ_x', 'EAIaIQ_x', 1_693_312_345_000],
    ['gclid', 'gcl.1693312345.EAIaIQ_x', 'EAIaIQ_x', 1_693_312_345_000],
    ['gclid', '1.1693312345.EAIaIQ_x', 'EAIaIQ_x', 1_693_312_345_000],
    ['gclid', '2.1.kEAIaIQ_x$i1693312345', 'EAIaIQ_x', 1_693_312_345_000],
    ['gclid', '2.1.kEAIaIQ_x$i1693312345$c1', 'EAIaIQ_x', 1_693_312_345_000],
    ['gclid', 'GCL.1693312345.GCL.1693312300.EAIaIQ_x', 'EAIaIQ_x', 1_693_312_300_000],
    ['gbraid', 'GCL.1693312345.0AAA_b', '0AAA_b', 1_693_312_345_000],
    ['wbraid', 'GCL.1693312345.CkAK_w', 'CkAK_w', 1_693_312_345_000],
    ['gclid', 'GCL.9999999999.EAIaIQ_x', 'EAIaIQ_x', undefined],
    ['gclid', 'GCL.0000000001.EAIaIQ_x', 'EAIaIQ_x', undefined],
    ['fbclid', `fb.1.${clickedAtMs}.IwAR3abc`, 'IwAR3abc', clickedAtMs],
    ['fbclid', `FB.2.${clickedAtMs}.IwAR3abc`, 'IwAR3abc', clickedAtMs],
    ['fbclid', 'fb.0.1693312345.IwAR3abc', 'IwAR3abc', 1_693_312_345_000],
    ['fbclid', `fb.1.${clickedAtMs}.IwAR3abc.AQYBAgAB`, 'IwAR3abc', clickedAtMs],
    ['fbclid', `fb.1.${clickedAtMs}.fb.1.1693312345678.IwAR3abc`, 'IwAR3abc', 1_693_312_345_678],
    ['fbclid', 'fb.1.9999999999999.IwAR3abc', 'IwAR3abc', undefined],
    ['fbclid', 'fb.1.0000000000001.IwAR3abc', 'IwAR3abc', undefined],
    ['msclkid', '_uetb1240587f865192a03586c5b000314f5', 'b1240587f865192a03586c5b000314f5', undefined],
  ])('takes for %s the id in a whole cookie: %s', (name, sent, id, atMs) => {
    expect(judgeClickId(name, sent, nowMs)).toEqual({ kind: 'usable', id, clickedAtMs: atMs });
  });

  it.each<[ClickIdName, string, string]>([
    ['gclid', 'GCL.1693312345.{gclid}', 'template'],
    ['gclid', 'GCL.1693312345.undefined', 'placeholder'],
    ['fbclid', `fb.1.${clickedAtMs}.{{fbclid}}`, 'template'],
    ['fbclid', `fb.1.${clickedAtMs}.null`, 'placeholder'],
    ['fbclid', `fb.1.${clickedAtMs}.`, 'malformed'],
    ['fbclid', 'fb.1.x.IwAR', 'malformed'],
  ])('judges the %s in a whole cookie: %s', (name, sent, reason) => {
    expect(judgeClickId(name, sent, nowMs)).toEqual({ kind: 'unusable', reason });
  });

  it('searches the first 200 parameters alone, and the first 4,096 characters of a value, for what is hidden there', () => {
    expect(read(`${searched(199)}&a;gclid=Cj0K`).clickParameters).toEqual({ gclid: 'Cj0K' });
    expect(read(`${searched(200)}&a;gclid=Cj0K`).clickParameters).toEqual({});
    expect(read(`${searched(5_000)}&gclid=Cj0K&utm_source=x`).clickParameters).toEqual(both);
    expect(read(`utm_source=x&a=${'b'.repeat(4_000)}%26gclid=Cj0K`).clickParameters).toEqual(both);
    expect(read(`utm_source=x&a=${'b'.repeat(5_000)}%26gclid=Cj0K`).clickParameters).toEqual({ utm_source: 'x' });
  });

  it('judges a long text in a short time', () => {
    const startedMs = performance.now();
    for (const part of ['x', ';', '&amp;', '?', 'test', '{', '[', 'id', '123', '%25', '__A', 'fb.1.1693312345.']) {
      for (const name of clickIdNames) judgeClickId(name, `${part.repeat(512 / part.length)}!`, nowMs);
      readClickParameters(`utm_source=${`;gclid=${part}`.repeat(1_000)}`, nowMs);
      readClickParameters(`utm_source=${part.repeat(8_000 / part.length)}`, nowMs);
      readClickParameters(`utm_source=${'%2525'.repeat(3_000)}`, nowMs);
    }
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
