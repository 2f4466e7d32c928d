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
  provider: (name) => `Entrar con ${name}`,
  providerUnavailable: (name) => `${name} no responde. Entra con tu contraseña o una llave de acceso, o reintenta.`,
  providerGone: 'El acceso de tu empresa no responde. Entra con tu contraseña o una llave de acceso, o reintenta.',
  providerRefused:
    'El acceso de tu empresa no sirvió aquí. Nadie con este correo fue invitado, el correo no está verificado o tardó demasiado.',
  providerCode: 'El acceso de tu empresa funcionó. Esta consola necesita además un segundo factor.',
  codeTitle: 'Ingresa un código',
  codeUsed: 'Este código ya se usó. Espera el siguiente.',
  codeWrong: 'El código es incorrecto o ya se usó. Espera el siguiente.',
  otherWay: 'Entrar de otra forma',
};
