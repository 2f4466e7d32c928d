import type { Texts } from '../../text/language.tsx';

const signInEn = {
  title: 'Sign in',
  intro: 'See what your clicks earned, and whether every sale was delivered.',
  email: 'Email',
  password: 'Password',
  code: 'Code',
  codeHint: 'The 6 digits that your authenticator app shows now.',
  submit: 'Sign in',
  wrong: 'Email, password or code is wrong. Each code works once: wait for the next one.',
  locked: 'Too many wrong attempts. Wait some minutes, then try again.',
  provider: (name: string) => `Sign in with ${name}`,
  providerUnavailable: (name: string) =>
    `${name} does not respond. Sign in with your password or a passkey, or try again.`,
  providerGone: 'Your company’s sign-in does not respond. Sign in with your password or a passkey, or try again.',
  providerRefused:
    'Your company’s sign-in did not work here. Nobody with this email was invited, its address is not verified, or it took too long.',
  providerCode: 'Your company’s sign-in worked. This console needs a second factor as well.',
  codeTitle: 'Enter a code',
  codeUsed: 'This code was used already. Wait for the next one.',
  codeWrong: 'The code is wrong or was used before. Wait for the next one.',
  cannot: 'I cannot sign in',
  cannotText:
    'Ask an administrator of your Leadback for a new invitation. Its link gives you a new password and a new second factor.',
  otherWay: 'Sign in another way',
};

const signInEs: typeof signInEn = {
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
  cannot: 'No puedo entrar',
  cannotText:
    'Pide una invitación nueva a un administrador de tu Leadback. Su enlace te da otra contraseña y otro segundo factor.',
  otherWay: 'Entrar de otra forma',
};

const signInPt: typeof signInEn = {
  title: 'Entrar',
  intro: 'Veja quanto seus cliques renderam e se cada venda foi entregue.',
  email: 'E-mail',
  password: 'Senha',
  code: 'Código',
  codeHint: 'Os 6 dígitos que seu aplicativo autenticador mostra agora.',
  submit: 'Entrar',
  wrong: 'E-mail, senha ou código incorreto. Cada código serve uma vez: espere o próximo.',
  locked: 'Tentativas erradas demais. Espere alguns minutos e tente de novo.',
  provider: (name) => `Entrar com ${name}`,
  providerUnavailable: (name) => `${name} não responde. Entre com sua senha ou uma chave de acesso, ou tente de novo.`,
  providerGone: 'O acesso da sua empresa não responde. Entre com sua senha ou uma chave de acesso, ou tente de novo.',
  providerRefused:
    'O acesso da sua empresa não funcionou aqui. Ninguém com este e-mail foi convidado, o e-mail não foi verificado ou demorou demais.',
  providerCode: 'O acesso da sua empresa funcionou. Este console também precisa de um segundo fator.',
  codeTitle: 'Digite um código',
  codeUsed: 'Este código já foi usado. Espere o próximo.',
  codeWrong: 'O código está errado ou já foi usado. Espere o próximo.',
  cannot: 'Não consigo entrar',
  cannotText:
    'Peça um novo convite a um administrador do seu Leadback. O link dá a você outra senha e outro segundo fator.',
  otherWay: 'Entrar de outra forma',
};

export const signInTexts: Texts<typeof signInEn> = { en: signInEn, es: signInEs, pt: signInPt };
