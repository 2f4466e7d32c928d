import type { AskedField, Language } from '@leadback/domain';

/** The built-in texts of a page. All other text is the operator's. */
export interface PageMessages {
  readonly title: string;
  readonly button: string;
  readonly privacy: string;
  /** The link to what is stored of the visitor. */
  readonly data: string;
  readonly correct: string;
  readonly error: string;
  readonly preview: string;
  readonly label: Readonly<Record<AskedField, string>>;
  /** How to correct a field that is missing or unusable. */
  readonly problem: Readonly<Record<AskedField, string>>;
  readonly notFound: Notice;
  readonly notNow: Notice;
}

/** A page with only a title and a text. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

export const pageMessages: Readonly<Record<Language, PageMessages>> = {
  en: {
    title: 'One more step',
    button: 'Continue',
    privacy: 'Privacy policy',
    data: 'Your data',
    correct: 'Please correct the following:',
    error: 'Error',
    preview: 'Preview: nothing is recorded',
    label: { name: 'Name', email: 'Email', phone: 'Phone' },
    problem: {
      name: 'Enter your name.',
      email: 'Enter an email address, such as ana@example.com.',
      phone: 'Enter a phone number with area code.',
    },
    notFound: { title: 'Page not found', text: 'There is no page at this address.' },
    notNow: { title: 'Just a moment', text: 'This page is not available right now. Please try again in a moment.' },
  },
  es: {
    title: 'Solo falta un paso',
    button: 'Continuar',
    privacy: 'Política de privacidad',
    data: 'Tus datos',
    correct: 'Hay datos incompletos o incorrectos:',
    error: 'Error',
    preview: 'Vista previa: no se guarda ningún dato',
    label: { name: 'Nombre', email: 'Correo electrónico', phone: 'Teléfono' },
    problem: {
      name: 'Falta tu nombre.',
      email: 'Falta un correo electrónico válido, por ejemplo ana@example.com.',
      phone: 'Falta un teléfono con código de área.',
    },
    notFound: { title: 'Página no encontrada', text: 'Esta página no existe o ya no está disponible.' },
    notNow: {
      title: 'Un momento',
      text: 'No pudimos cargar esta página. Volverá a estar disponible en unos instantes.',
    },
  },
  pt: {
    title: 'Só falta um passo',
    button: 'Continuar',
    privacy: 'Política de privacidade',
    data: 'Seus dados',
    correct: 'Confira os dados informados:',
    error: 'Erro',
    preview: 'Pré-visualização: nenhum dado é salvo',
    label: { name: 'Nome', email: 'E-mail', phone: 'Telefone' },
    problem: {
      name: 'Informe seu nome.',
      email: 'Informe um e-mail válido, por exemplo ana@example.com.',
      phone: 'Informe um telefone com DDD.',
    },
    notFound: { title: 'Página não encontrada', text: 'Esta página não existe ou não está mais disponível.' },
    notNow: {
      title: 'Só um momento',
      text: 'Esta página não está disponível agora. Tente novamente em instantes.',
    },
  },
};
