import type { PasskeyTexts } from './en.ts';

export const passkeyEs: PasskeyTexts = {
  signIn: 'Entrar con una llave de acceso',
  or: 'o',
  confirm: 'Confirmar con una llave de acceso',
  notGiven: 'No se usó ninguna llave de acceso. Cerraste el diálogo del navegador o tardó demasiado. Reintenta.',
  isKnown: 'Este dispositivo ya tiene una llave de acceso tuya. Agrega una en otro dispositivo.',
  refused: 'Esta llave de acceso no se conoce o fue quitada. Entra de otra forma y revisa tus llaves en Seguridad.',
};
