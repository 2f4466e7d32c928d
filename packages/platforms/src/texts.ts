import type { Language } from '@leadback/domain';

/** A setting or credential, for the forms of the console. */
export interface FieldText {
  readonly label: string;
  /** What it is and where to find it. */
  readonly help: string;
}

type FieldTexts = Readonly<Record<string, FieldText>>;

/** What the console says of a platform. */
export type PlatformTexts = Readonly<
  Record<
    Language,
    {
      /** What is needed to connect it. */
      readonly needed: string;
      /** By the name of the field; without those that mean the same at several platforms. */
      readonly fields: FieldTexts;
    }
  >
>;

/** The fields that mean the same at several platforms. */
const shared: Readonly<Record<Language, FieldTexts>> = {
  en: {
    eventName: { label: 'Event name', help: 'What your campaigns call a conversion. Default: Purchase.' },
    leadEventName: { label: 'Lead event name', help: 'What your campaigns call a lead. Default: Lead.' },
    otherCurrency: {
      label: 'Sales in other currencies',
      help: 'In a currency that the platform does not take. Sent without its amount, a sale still counts.',
    },
    value: {
      label: 'Value of a sale',
      help: 'What campaigns count. The net amount comes with a sale, such as your margin; without one, the amount counts.',
    },
    testEventCode: {
      label: 'Test event code',
      help: 'Events Manager → Test events. Deliveries of test keys then appear there; without it they are skipped.',
    },
  },
  es: {
    eventName: {
      label: 'Nombre del evento',
      help: 'Cómo llaman tus campañas a una conversión. Por defecto: Purchase.',
    },
    leadEventName: {
      label: 'Nombre del evento de lead',
      help: 'Cómo llaman tus campañas a un lead. Por defecto: Lead.',
    },
    otherCurrency: {
      label: 'Ventas en otras monedas',
      help: 'En una moneda que la plataforma no acepta. Enviada sin su importe, una venta cuenta igual.',
    },
    value: {
      label: 'Valor de una venta',
      help: 'Lo que cuentan las campañas. El importe neto llega con la venta, como tu margen; si falta, cuenta el importe.',
    },
    testEventCode: {
      label: 'Código de eventos de prueba',
      help: 'Administrador de eventos → Probar eventos. Allí aparecen entonces las entregas de claves de prueba; sin él se omiten.',
    },
  },
  pt: {
    eventName: { label: 'Nome do evento', help: 'Como suas campanhas chamam uma conversão. Padrão: Purchase.' },
    leadEventName: { label: 'Nome do evento de lead', help: 'Como suas campanhas chamam um lead. Padrão: Lead.' },
    otherCurrency: {
      label: 'Vendas em outras moedas',
      help: 'Em uma moeda que a plataforma não aceita. Enviada sem o valor, uma venda conta mesmo assim.',
    },
    value: {
      label: 'Valor de uma venda',
      help: 'O que as campanhas contam. O valor líquido chega com a venda, como a sua margem; sem ele, conta o valor total.',
    },
    testEventCode: {
      label: 'Código de eventos de teste',
      help: 'Gerenciador de eventos → Eventos de teste. As entregas de chaves de teste aparecem lá; sem ele, são omitidas.',
    },
  },
};

/** Throws if the field has none. */
export const fieldTextsOf = (name: string, texts: PlatformTexts): Readonly<Record<Language, FieldText>> => {
  const textIn = (language: Language): FieldText => {
    const text = texts[language].fields[name] ?? shared[language][name];
    if (!text) throw new TypeError(`${name}: has no text in ${language}`);
    return text;
  };
  return { en: textIn('en'), es: textIn('es'), pt: textIn('pt') };
};
