import type { SignInTexts } from './en.ts';

export const signInPt: SignInTexts = {
  title: 'Entrar',
  intro: 'Veja quanto seus cliques renderam e se cada venda foi entregue.',
  email: 'E-mail',
  password: 'Senha',
  code: 'Código',
  codeHint: 'Os 6 dígitos que seu aplicativo autenticador mostra agora.',
  submit: 'Entrar',
  wrong: 'E-mail, senha ou código incorreto. Cada código serve uma vez: espere o próximo.',
  locked: 'Tentativas erradas demais. Espere alguns minutos e tente de novo.',
};
