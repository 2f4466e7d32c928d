import type { AskedField } from '@leadback/db';
import type { Language } from '@leadback/domain';

/** Our own words on a page. Everything else on it is the operator's. */
export interface PageMessages {
  readonly title: string;
  readonly button: string;
  readonly privacy: string;
  readonly correct: string;
  readonly error: string;
  readonly preview: string;
  readonly label: Readonly<Record<AskedField, string>>;
  /** What to mend, where a field says nothing that can be used. */
  readonly problem: Readonly<Record<AskedField, string>>;
  readonly notFound: Notice;
  readonly notNow: Notice;
}

/** A plain page that says one thing. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

export const pageMessages: Readonly<Record<Language, PageMessages>> = {
  en: {
    title: 'One more step',
    button: 'Continue',
    privacy: 'Privacy policy',
    correct: 'Please check what you entered:',
    error: 'Error',
    preview: 'Preview: nothing is recorded',
    label: { name: 'Name', email: 'E-mail', phone: 'Phone' },
    problem: {
      name: 'Enter your name.',
      email: 'Enter an e-mail address, such as ana@example.com.',
      phone: 'Enter a phone number, with its area code.',
    },
    notFound: { title: 'Page not found', text: 'There is no page at this address.' },
    notNow: { title: 'Just a moment', text: 'This page cannot be shown right now. Please try again shortly.' },
  },
  es: {
    title: 'Un paso más',
    button: 'Continuar',
    privacy: 'Política de privacidad',
    correct: 'Hay datos para corregir:',
    error: 'Error',
    preview: 'Vista previa: no se registra nada',
    label: { name: 'Nombre', email: 'Correo electrónico', phone: 'Teléfono' },
    problem: {
      name: 'Falta tu nombre.',
      email: 'Falta un correo electrónico, por ejemplo ana@example.com.',
      phone: 'Falta un número de teléfono, con su código de área.',
    },
    notFound: { title: 'Página no encontrada', text: 'No hay ninguna página en esta dirección.' },
    notNow: {
      title: 'Un momento',
      text: 'Esta página no se puede mostrar ahora. En unos instantes estará disponible otra vez.',
    },
  },
  pt: {
    title: 'Falta só um passo',
    button: 'Continuar',
    privacy: 'Política de privacidade',
    correct: 'Confira os dados informados:',
    error: 'Erro',
    preview: 'Pré-visualização: nada é registrado',
    label: { name: 'Nome', email: 'E-mail', phone: 'Telefone' },
    problem: {
      name: 'Informe o seu nome.',
      email: 'Informe um e-mail, por exemplo ana@example.com.',
      phone: 'Informe um telefone com o código de área.',
    },
    notFound: { title: 'Página não encontrada', text: 'Não há nenhuma página neste endereço.' },
    notNow: {
      title: 'Um momento',
      text: 'Esta página não pode ser exibida agora. Tente novamente em instantes.',
    },
  },
};
