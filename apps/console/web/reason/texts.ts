import type { Language } from '@leadback/domain';

type Words = Readonly<Record<Exclude<Language, 'en'>, string>>;

type Known = readonly (readonly [pattern: string, words: Words])[];

/** What the server says of any text. `$1`: what the pattern leaves open. */
export const ofTexts: Known = [
  ['must not be empty', { es: 'no puede estar vacío', pt: 'não pode estar vazio' }],
  ['longer than (.+) characters', { es: 'tiene más de $1 caracteres', pt: 'tem mais de $1 caracteres' }],
  ['has control characters', { es: 'tiene caracteres de control', pt: 'tem caracteres de controle' }],
];

// What the server says of rows, without the fields before it.
const known: Known = [
  ...ofTexts,
  ['expected a string', { es: 'se espera un texto', pt: 'espera-se um texto' }],
  ['expected a number', { es: 'se espera un número', pt: 'espera-se um número' }],
  ['must not be negative', { es: 'no puede ser negativo', pt: 'não pode ser negativo' }],
  ['must not be larger than (.+)', { es: 'no puede ser mayor que $1', pt: 'não pode ser maior que $1' }],
  [
    'expected an email address: one @, text on both sides, no spaces',
    {
      es: 'se espera una dirección de correo: una @, texto a ambos lados, sin espacios',
      pt: 'espera-se um endereço de e-mail: uma @, texto dos dois lados, sem espaços',
    },
  ],
  [
    'expected a currency of ISO 4217 in capitals, such as USD',
    {
      es: 'se espera una moneda de ISO 4217 en mayúsculas, por ejemplo USD',
      pt: 'espera-se uma moeda da ISO 4217 em maiúsculas, por exemplo USD',
    },
  ],
  [
    'expected a time with its offset from UTC \\(RFC 3339\\), such as (.+)',
    {
      es: 'se espera una hora con su diferencia de UTC (RFC 3339), por ejemplo $1',
      pt: 'espera-se um horário com a diferença de UTC (RFC 3339), por exemplo $1',
    },
  ],
  [
    'expected a time at most 5 minutes ahead and at most 400 days ago, such as (.+)',
    {
      es: 'se espera una hora de hace 400 días como máximo, y no más de 5 minutos en el futuro, por ejemplo $1',
      pt: 'espera-se um horário de no máximo 400 dias atrás, e não mais de 5 minutos no futuro, por exemplo $1',
    },
  ],
  [
    'expected 1 to 64 characters of A-Z a-z 0-9 \\. _ - and blanks',
    {
      es: 'se esperan de 1 a 64 caracteres de A-Z a-z 0-9 . _ - y espacios',
      pt: 'esperam-se de 1 a 64 caracteres de A-Z a-z 0-9 . _ - e espaços',
    },
  ],
  [
    'expected 1 to 64 characters of A-Z a-z 0-9 \\. _ : -',
    {
      es: 'se esperan de 1 a 64 caracteres de A-Z a-z 0-9 . _ : -',
      pt: 'esperam-se de 1 a 64 caracteres de A-Z a-z 0-9 . _ : -',
    },
  ],
  [
    'three digits after a comma or a point could be thousands; write 1234 or 1.23, or choose the decimal mark',
    {
      es: 'tres dígitos después de una coma o un punto podrían ser miles: escribe 1234 o 1.23, o elige el signo decimal',
      pt: 'três dígitos depois de uma vírgula ou de um ponto podem ser milhares: escreva 1234 ou 1.23, ou escolha o sinal decimal',
    },
  ],
  [
    'day and month cannot be told apart; choose the order of dates',
    {
      es: 'no se distingue el día del mes: elige el orden de las fechas',
      pt: 'não se distingue o dia do mês: escolha a ordem das datas',
    },
  ],
  [
    'has no offset from UTC; choose the time zone of the file',
    {
      es: 'no dice su diferencia de UTC: elige la zona horaria del archivo',
      pt: 'não diz a diferença de UTC: escolha o fuso horário do arquivo',
    },
  ],
  [
    'this account takes (.+); ask your operator to allow another one',
    {
      es: 'esta cuenta acepta $1: pide a tu operador que permita otra',
      pt: 'esta conta aceita $1: peça ao seu operador que permita outra',
    },
  ],
  [
    'no lead of this account has this reference(?:; retry if the visitor came less than 10 seconds ago)?',
    { es: 'ningún lead de esta cuenta tiene esta referencia', pt: 'nenhum lead desta conta tem esta referência' },
  ],
  [
    'the lead is of a test, and the key is live; send a click that a live key registered',
    {
      es: 'el lead es de una prueba y la clave es real: envía un clic que registró una clave real',
      pt: 'o lead é de um teste e a chave é real: envie um clique que uma chave real registrou',
    },
  ],
  [
    'not a reference that we issued; pass on the value of serviceId whole and unchanged',
    {
      es: 'no es una referencia emitida por Leadback: transmite el valor de serviceId entero y sin cambios',
      pt: 'não é uma referência emitida pelo Leadback: transmita o valor de serviceId inteiro e sem mudanças',
    },
  ],
  [
    'its letters have lost their case; pass on the value of serviceId with capital and small letters as they are',
    {
      es: 'sus letras perdieron las mayúsculas o minúsculas: transmite el valor de serviceId tal cual',
      pt: 'suas letras perderam as maiúsculas ou minúsculas: transmita o valor de serviceId como está',
    },
  ],
  [
    'no client matches clientExternalReference or email',
    {
      es: 'ningún cliente coincide con clientExternalReference o email',
      pt: 'nenhum cliente corresponde a clientExternalReference ou email',
    },
  ],
  [
    'a conversion with this reference already exists',
    { es: 'ya existe una conversión con esta referencia', pt: 'já existe uma conversão com esta referência' },
  ],
  [
    'another conversion has this event id; use a different id for each sale',
    {
      es: 'otra conversión tiene este id de evento: usa un id distinto para cada venta',
      pt: 'outra conversão tem este id de evento: use um id diferente para cada venda',
    },
  ],
  [
    'not as registered with this conversionExternalReference',
    {
      es: 'no es como se registró con esta conversionExternalReference',
      pt: 'não é como foi registrado com esta conversionExternalReference',
    },
  ],
  [
    'the conversion is retracted and takes no more adjustments; if it was sold again, register a new conversion',
    {
      es: 'la conversión está anulada y no acepta más ajustes: si se vendió de nuevo, registra otra conversión',
      pt: 'a conversão está anulada e não aceita mais ajustes: se foi vendida de novo, registre outra conversão',
    },
  ],
];

export type Translate = (message: string, language: keyof Words) => string | undefined;

/**
 * A function that says in another language what the server says in English; undefined if it is not known what a part of it
 * says. The words of an open part, `$1`, stay as they are.
 */
export const translator = (all: Known): Translate => {
  const patterns = all.map(
    ([pattern, words]) => [new RegExp(`^(?<fields>(?:[\\w., ]+: )?)${pattern}$`), words] as const,
  );
  return (message, language) => {
    // several problems of a row; what one says may have a semicolon, too
    const parts = message.split(/; (?=[\w., ]+: )/).map((part) => {
      const [pattern, words] = patterns.find(([one]) => one.test(part)) ?? [];
      return (
        pattern &&
        words &&
        part.replace(
          pattern,
          (_all, fields: string, open: string | undefined) => fields + words[language].replace('$1', () => open ?? ''),
        )
      );
    });
    return parts.includes(undefined) ? undefined : parts.join('; ');
  };
};

export const translated = translator(known);
