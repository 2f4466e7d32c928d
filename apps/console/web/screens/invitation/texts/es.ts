import type { InvitationTexts } from './en.ts';

export const invitationEs: InvitationTexts = {
  title: 'Te damos la bienvenida a Leadback',
  intro: (email, role) => `Tienes una invitación como ${role}, con el correo ${email}.`,
  roles: {
    admin: 'administrador',
    operator: 'operador',
    marketer: 'marketing',
    'partner-admin': 'administrador de socio',
    'partner-viewer': 'lector de socio',
  },
  accounts: 'Cuentas',
  until: (time) => `Este enlace funciona una vez, hasta el ${time}.`,
  step: (step, steps) => `Paso ${step} de ${steps}`,
  password: 'Elige una contraseña',
  passwordGuessable: 'Esta contraseña es fácil de adivinar. Usa algunas palabras que nadie juntaría.',
  passwordHint: (min) =>
    `Al menos ${min} caracteres. Una frase que solo tú conoces es fácil de recordar y difícil de adivinar.`,
  next: 'Continuar',
  factorTitle: 'Configura tu segundo factor',
  scan: 'Escanea la imagen con una aplicación de autenticación, como la de tu gestor de contraseñas. Después escribe el código que muestra.',
  qr: 'Código QR para tu aplicación de autenticación',
  secret: '¿Sin cámara? Escribe esta clave en la aplicación:',
  code: 'Código',
  codeHint: '6 dígitos. La aplicación muestra un código nuevo cada 30 segundos.',
  finish: 'Terminar y entrar',
  codeWrong: 'El código no es correcto o ya cambió. Escribe el que la aplicación muestra ahora.',
  invalidTitle: 'Esta invitación no sirve',
  invalid: 'Ya se usó, venció, o el enlace está incompleto. Pide una nueva a la persona que te invitó.',
  toSignIn: 'Ir a la entrada',
};
