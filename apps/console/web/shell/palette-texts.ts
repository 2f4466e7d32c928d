import type { Texts } from '../text/language.tsx';

/** What only the palette says: it is loaded when it opens. */
const paletteEn = {
  paletteHint: 'Type an order, a person, a screen or a setting',
  findText: (text: string) => `Find “${text}” among orders, people and deliveries`,
  keys: '/ find · j k rows · Enter open · Esc close',
  switchTo: (account: string) => `Account: ${account}`,
};

const paletteEs: typeof paletteEn = {
  paletteHint: 'Escribe un pedido, una persona, una pantalla o un ajuste',
  findText: (text) => `Buscar «${text}» entre pedidos, personas y entregas`,
  keys: '/ buscar · j k filas · Enter abrir · Esc cerrar',
  switchTo: (account) => `Cuenta: ${account}`,
};

const palettePt: typeof paletteEn = {
  paletteHint: 'Digite um pedido, uma pessoa, uma tela ou um ajuste',
  findText: (text) => `Buscar “${text}” entre pedidos, pessoas e entregas`,
  keys: '/ buscar · j k linhas · Enter abrir · Esc fechar',
  switchTo: (account) => `Conta: ${account}`,
};

export const paletteTexts: Texts<typeof paletteEn> = { en: paletteEn, es: paletteEs, pt: palettePt };
