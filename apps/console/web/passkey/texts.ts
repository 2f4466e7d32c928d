import type { Texts } from '../text/language.tsx';

const passkeyEn = {
  signIn: 'Sign in with a passkey',
  or: 'or',
  confirm: 'Confirm with a passkey',
  notGiven: 'No passkey was used. You closed the dialog of the browser, or it took too long. Try again.',
  isKnown: 'This device has a passkey of yours already. Add one on another device.',
  refused: 'This passkey is unknown or was removed. Sign in another way, then check your passkeys in Security.',
};

export type PasskeyTexts = typeof passkeyEn;

const passkeyEs: PasskeyTexts = {
  signIn: 'Entrar con una llave de acceso',
  or: 'o',
  confirm: 'Confirmar con una llave de acceso',
  notGiven: 'No se usó ninguna llave de acceso. Cerraste el diálogo del navegador o tardó demasiado. Reintenta.',
  isKnown: 'Este dispositivo ya tiene una llave de acceso tuya. Agrega una en otro dispositivo.',
  refused: 'Esta llave de acceso no se conoce o fue quitada. Entra de otra forma y revisa tus llaves en Seguridad.',
};

const passkeyPt: PasskeyTexts = {
  signIn: 'Entrar com uma chave de acesso',
  or: 'ou',
  confirm: 'Confirmar com uma chave de acesso',
  notGiven: 'Nenhuma chave de acesso foi usada. Você fechou a janela do navegador ou demorou demais. Tente de novo.',
  isKnown: 'Este dispositivo já tem uma chave de acesso sua. Adicione uma em outro dispositivo.',
  refused: 'Esta chave de acesso é desconhecida ou foi removida. Entre de outra forma e veja suas chaves em Segurança.',
};

export const passkeyTexts: Texts<PasskeyTexts> = { en: passkeyEn, es: passkeyEs, pt: passkeyPt };
