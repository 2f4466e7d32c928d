import type { SignInTexts } from './en.ts';

export const signInEs: SignInTexts = {
  title: 'Entrar',
  intro: 'Mira cuánto ganaron tus clics y si cada venta fue entregada.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  code: 'Código',
  codeHint: 'Los 6 dígitos que muestra ahora tu aplicación de autenticación.',
  submit: 'Entrar',
  wrong: 'El correo, la contraseña o el código no es correcto. Cada código sirve una vez: espera el siguiente.',
  locked: 'Demasiados intentos fallidos. Espera unos minutos y reintenta.',
};
