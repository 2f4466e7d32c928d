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
  provider: (name) => `Entrar com ${name}`,
  providerUnavailable: (name) => `${name} não responde. Entre com sua senha ou uma chave de acesso, ou tente de novo.`,
  providerGone: 'O acesso da sua empresa não responde. Entre com sua senha ou uma chave de acesso, ou tente de novo.',
  providerRefused:
    'O acesso da sua empresa não funcionou aqui. Ninguém com este e-mail foi convidado, o e-mail não foi verificado ou demorou demais.',
  providerCode: 'O acesso da sua empresa funcionou. Este console também precisa de um segundo fator.',
  codeTitle: 'Digite um código',
  codeUsed: 'Este código já foi usado. Espere o próximo.',
  codeWrong: 'O código está errado ou já foi usado. Espere o próximo.',
  otherWay: 'Entrar de outra forma',
};
