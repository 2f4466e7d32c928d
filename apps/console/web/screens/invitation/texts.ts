import type { Role } from '../../../src/contract/session.ts';
import type { Texts } from '../../text/language.tsx';

interface InvitationTexts {
  readonly title: string;
  readonly intro: (email: string, role: string) => string;
  readonly roles: Readonly<Record<Role, string>>;
  readonly accounts: string;
  readonly until: (time: string) => string;
  readonly step: (step: number, steps: number) => string;
  readonly password: string;
  readonly passwordGuessable: string;
  readonly passwordHint: (min: number) => string;
  readonly next: string;
  readonly factorTitle: string;
  readonly scan: string;
  readonly qr: string;
  readonly secret: string;
  readonly code: string;
  readonly codeHint: string;
  readonly finish: string;
  readonly codeWrong: string;
  readonly invalidTitle: string;
  readonly invalid: string;
  readonly toSignIn: string;
}

const invitationEn: InvitationTexts = {
  title: 'Welcome to Leadback',
  intro: (email, role) => `You were invited as ${role}, with the email ${email}.`,
  roles: {
    admin: 'administrator',
    operator: 'operator',
    marketer: 'marketer',
    'partner-admin': 'partner administrator',
    'partner-viewer': 'partner viewer',
  },
  accounts: 'Accounts',
  until: (time) => `This link works once, until ${time}.`,
  step: (step, steps) => `Step ${step} of ${steps}`,
  password: 'Choose a password',
  passwordGuessable: 'This password is easy to guess. Take some words that nobody would put together.',
  passwordHint: (min) =>
    `At least ${min} characters. A sentence that only you know is easy to remember and hard to guess.`,
  next: 'Continue',
  factorTitle: 'Set up your second factor',
  scan: 'Scan the picture with an authenticator app, such as the one of your password manager. Then enter the code that the app shows.',
  qr: 'QR code for your authenticator app',
  secret: 'No camera? Enter this key in the app:',
  code: 'Code',
  codeHint: '6 digits. The app shows a new code every 30 seconds.',
  finish: 'Finish and sign in',
  codeWrong: 'This code is wrong or was replaced. Enter the one that the app shows now.',
  invalidTitle: 'This invitation does not work',
  invalid: 'It was used, it has expired, or the link is not whole. Ask the person who invited you for a new one.',
  toSignIn: 'Go to sign-in',
};

const invitationEs: InvitationTexts = {
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

const invitationPt: InvitationTexts = {
  title: 'Boas-vindas ao Leadback',
  intro: (email, role) => `Você recebeu um convite como ${role}, com o e-mail ${email}.`,
  roles: {
    admin: 'administrador',
    operator: 'operador',
    marketer: 'marketing',
    'partner-admin': 'administrador de parceiro',
    'partner-viewer': 'leitor de parceiro',
  },
  accounts: 'Contas',
  until: (time) => `Este link funciona uma vez, até ${time}.`,
  step: (step, steps) => `Passo ${step} de ${steps}`,
  password: 'Escolha uma senha',
  passwordGuessable: 'Esta senha é fácil de adivinhar. Use algumas palavras que ninguém juntaria.',
  passwordHint: (min) =>
    `Pelo menos ${min} caracteres. Uma frase que só você conhece é fácil de lembrar e difícil de adivinhar.`,
  next: 'Continuar',
  factorTitle: 'Configure seu segundo fator',
  scan: 'Escaneie a imagem com um aplicativo autenticador, como o do seu gerenciador de senhas. Depois digite o código que ele mostra.',
  qr: 'Código QR para seu aplicativo autenticador',
  secret: 'Sem câmera? Digite esta chave no aplicativo:',
  code: 'Código',
  codeHint: '6 dígitos. O aplicativo mostra um código novo a cada 30 segundos.',
  finish: 'Concluir e entrar',
  codeWrong: 'O código está errado ou já mudou. Digite o que o aplicativo mostra agora.',
  invalidTitle: 'Este convite não funciona',
  invalid: 'Ele já foi usado, venceu, ou o link está incompleto. Peça um novo à pessoa que convidou você.',
  toSignIn: 'Ir para a entrada',
};

export const invitationTexts: Texts<InvitationTexts> = { en: invitationEn, es: invitationEs, pt: invitationPt };
