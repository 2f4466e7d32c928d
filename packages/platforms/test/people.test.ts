import { platformNames } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { sha256 } from '../src/event-parts.ts';
import { splitName } from '../src/full-name.ts';
import { phoneNumberForms, phoneNumberInE164 } from '../src/phone-number.ts';
import { givenConversion, now } from './given-conversion.ts';

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }, { now: () => now });

/** What a platform is told of a client, or that it is told nothing. */
const told = (name: (typeof platformNames)[number], client: Parameters<typeof givenConversion>[0], country = 'AR') => {
  const { settings, credentials } = platforms[name].sample(1);
  const event = givenConversion({
    ...client,
    accountCountry: country,
    lead: { clickParameters: {}, ipAddress: null, userAgent: null },
  });
  return JSON.stringify(platforms[name].access(settings, credentials, 'live').prepare(event, now));
};

const takingPhones = platformNames.filter((name) => name !== 'linkedin');

describe('phone numbers by the rules of their country', () => {
  it.each([
    ['MX', '55 1234 5678'],
    ['MX', '1 55 1234 5678'],
    ['MX', '+52 1 55 1234 5678'],
    ['MX', '5215512345678'],
    ['MX', '044 55 1234 5678'],
    ['MX', '045 55 1234 5678'],
    ['MX', '01 55 1234 5678'],
    ['MX', '+52 55 1234 5678'],
    ['MX', '525512345678'],
    ['MX', '(55) 1234-5678'],
    ['AR', '+52 1 55 1234 5678'],
    ['AR', '0052 1 55 1234 5678'],
  ])('an account in %s has %s, one Mexican number, and never one of New Jersey', (country, phoneNumber) => {
    expect(phoneNumberForms(phoneNumber, country)).toEqual(['+525512345678', '+5215512345678']);
    for (const name of takingPhones) {
      const event = told(name, { client: { phoneNumber } }, country);
      expect(event).toMatch(new RegExp(`${sha256('525512345678')}|${sha256('+525512345678')}`));
      expect(event).not.toMatch(new RegExp(`${sha256('15512345678')}|${sha256('+15512345678')}`));
    }
  });

  it.each([
    ['BR', '(11) 98765-4321', '+5511987654321'],
    ['BR', '11 8765-4321', '+5511987654321'],
    ['BR', '+55 11 8765-4321', '+5511987654321'],
    ['BR', '0xx11 98765-4321', '+5511987654321'],
    ['BR', '(0xx11) 98765-4321', '+5511987654321'],
    ['BR', '0 21 11 98765-4321', '+5511987654321'],
    ['BR', '5511987654321', '+5511987654321'],
    ['BR', '(11) 3456-7890', '+551134567890'],
    ['CL', '09 8765 4321', '+56987654321'],
    ['CL', '9 8765 4321', '+56987654321'],
    ['CL', '+56 9 8765 4321', '+56987654321'],
    ['CO', '310 123 4567', '+573101234567'],
    ['CO', '03 310 123 4567', '+573101234567'],
    ['CO', '(1) 345 6789', '+576013456789'],
    ['CO', '+57 1 345 6789', '+576013456789'],
    ['AR', '011 15-2345-6789', '+5491123456789'],
    ['AR', '0351 15 555-1234', '+5493515551234'],
    ['AR', '+54 9 351 555-1234', '+5493515551234'],
    ['UY', '099 123 456', '+59899123456'],
    ['PE', '987 654 321', '+51987654321'],
    ['US', '(650) 555-1212', '+16505551212'],
  ])('an account in %s reads %s as %s', (country, written, e164) => {
    expect(phoneNumberInE164(written, country)).toBe(e164);
  });

  it.each([
    ['54 11 2345-6789 / 11 8765-4321', ['+541123456789', '+541187654321']],
    ['11 2345-6789, 11 8765-4321', ['+541123456789', '+541187654321']],
    ['11 2345-6789; 11 8765-4321', ['+541123456789', '+541187654321']],
    ['11 2345-6789 o 11 8765-4321', ['+541123456789', '+541187654321']],
    ['11 2345-6789 y 11 8765-4321', ['+541123456789', '+541187654321']],
    ['11 2345-6789 | 11 8765-4321', ['+541123456789', '+541187654321']],
    ['11 2345-6789\n11 8765-4321', ['+541123456789', '+541187654321']],
    ['tel. 11 2345-6789', ['+541123456789']],
    ['Cel: 11 2345-6789', ['+541123456789']],
    ['WhatsApp 11 2345-6789', ['+541123456789']],
    ['11 2345-6789 (casa)', ['+541123456789']],
    ['11 2345-6789 mamá', ['+541123456789']],
    ['1123456789.0', ['+541123456789']],
    ['11 2345-6789 / 1111111111', ['+541123456789']],
    ['11 2345-6789 / no tiene', ['+541123456789']],
    ['casa 11 2345-6789 / trabajo 11 8765-4321', ['+541123456789', '+541187654321']],
  ])('of several numbers or words in one field (%j) each number counts', (written, numbers) => {
    const forms = phoneNumberForms(written, 'AR').filter((form) => !form.startsWith('+549'));
    expect(forms).toEqual(numbers);
  });

  it.each([
    '1111111111',
    '0000000000',
    '+54 9 11 0000-0000',
    '11 1111-1111',
    '1234567890',
    '123456789',
    '0123456789',
    '+54 11 9999-9999',
    '-',
    'no tiene',
    '0',
  ])('%s is nobody’s number', (phoneNumber) => {
    expect(phoneNumberForms(phoneNumber, 'AR')).toEqual([]);
    for (const name of platformNames) expect(told(name, { client: { phoneNumber } })).toContain('no_match_keys');
  });
});

describe('emails that stand for none', () => {
  it.each([
    'test@test.com',
    'noemail@noemail.com',
    'na@na.com',
    'sin@correo.com',
    'null@null.com',
    'noemail@gmail.com',
    'sincorreo@hotmail.com',
    'sin.correo@gmail.com',
    'no-reply@shop.com',
    'noreply@shop.com',
    'notiene@notiene.com',
    'no_tiene@gmail.com',
    'naotem@gmail.com',
    'sememail@uol.com.br',
    'cliente@cliente.com',
    'consumidor@final.com',
    'a@a.com',
    'xxx@xxx.com',
    'aaaa@aaaa.com',
    'asd@asd.com',
    'prueba@prueba.com.ar',
    'teste@teste.com.br',
    'none@none.com',
    'email@email.com',
    'TEST@Test.com',
  ])('%s is nobody, at every platform', (email) => {
    for (const name of platformNames) expect(told(name, { client: { email } })).toContain('no_match_keys');
  });

  it.each([
    'ana@example.com',
    'test.gomez@gmail.com',
    'gomez@gomez.com',
    'contacto@cliente.com',
    'a.perez@a.com',
    'info@shop.com',
  ])('%s is somebody', (email) => {
    for (const name of platformNames) expect(told(name, { client: { email } })).toContain('"kind":"event"');
  });
});

describe('names', () => {
  it.each([
    ['Dr. Ana Gómez', 'Ana', 'Gómez'],
    ['Dr Ana Gómez', 'Ana', 'Gómez'],
    ['Sr. Juan Pérez', 'Juan', 'Pérez'],
    ['Sra Ana Gómez', 'Ana', 'Gómez'],
    ['SRA. ANA GÓMEZ', 'ANA', 'GÓMEZ'],
    ['Dr. Ing. Juan Pérez', 'Juan', 'Pérez'],
    ['Srta. Ana María Gómez', 'Ana', 'María Gómez'],
    ['Lic Ana Gómez', 'Ana', 'Gómez'],
    ['Mr. John Smith', 'John', 'Smith'],
    ['Mrs Mary Smith', 'Mary', 'Smith'],
    ['Doña Ana Gómez', 'Ana', 'Gómez'],
    ['Don Draper', 'Don', 'Draper'],
    ['Ing Nguyen', 'Ing', 'Nguyen'],
    ['Srinivas Rao', 'Srinivas', 'Rao'],
    ['Drake Bell', 'Drake', 'Bell'],
    ['Profa. Maria Silva', 'Maria', 'Silva'],
    ['Jos&eacute; P&eacute;rez', 'José', 'Pérez'],
    ['Jos&amp;eacute; P&amp;eacute;rez', 'José', 'Pérez'],
    ['Jos&#233; Mu&ntilde;oz', 'José', 'Muñoz'],
    ['Jos&#xE9; Gon&ccedil;alves', 'José', 'Gonçalves'],
    ['<b>Ana</b> Gómez', 'Ana', 'Gómez'],
    ['Ana&nbsp;Gómez', 'Ana', 'Gómez'],
    ['&lt;script&gt;Ana Gómez', 'Ana', 'Gómez'],
    ['Sinéad O&#39;Connor', 'Sinéad', "O'Connor"],
  ])('%s are %s and %s', (full, first, rest) => {
    expect(splitName(full)).toEqual({ first, rest });
  });

  it.each([
    'Consumidor Final',
    'CONSUMIDOR FINAL',
    'Cliente',
    'cliente final',
    'test',
    'Test Test',
    'Invitado',
    'Guest',
    'N/A',
    'n.a.',
    '-',
    'Sin nombre',
    'Sem nome',
    'no name',
    'Público en general',
    'Venta mostrador',
    'null',
    'undefined',
    'xxx',
    'aaaa',
    'Anónimo'.normalize('NFD').replace(/\p{M}/gu, ''),
    'Sr. Pérez',
  ])('%s is the name of nobody in particular', (full) => {
    expect(splitName(full)).toEqual({});
  });
});

describe('a contact that was hashed already', () => {
  const hash = sha256('ana@example.com');
  it.each([hash, hash.toUpperCase(), ` ${hash} `])('is sent as it is: %s', (email) => {
    for (const name of platformNames) expect(told(name, { client: { email } })).toContain(hash);
  });

  it('is sent as it is also if it is a phone number', () => {
    for (const name of takingPhones) expect(told(name, { client: { phoneNumber: hash } })).toContain(hash);
  });
});
