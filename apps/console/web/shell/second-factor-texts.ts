const en = {
  title: 'Confirm that it is you',
  text: 'This action needs your second factor again. For the next 5 minutes you are not asked again.',
  code: 'Code of your authenticator app',
  submit: 'Continue',
  wrong: 'The code is wrong. Check that the clock of your device is right, or wait for the next one.',
  used: 'This code was used already. Wait for the next one.',
  locked: 'Too many wrong codes. Wait 15 minutes, then try again.',
};

type Texts = typeof en;

const es: Texts = {
  title: 'Confirma que eres tú',
  text: 'Esta acción necesita otra vez tu segundo factor. Durante 5 minutos no se vuelve a pedir.',
  code: 'Código de tu app de autenticación',
  submit: 'Continuar',
  wrong: 'El código es incorrecto. Comprueba que la hora de tu dispositivo es correcta, o espera el siguiente.',
  used: 'Este código ya se usó. Espera el siguiente.',
  locked: 'Demasiados códigos incorrectos. Espera 15 minutos e inténtalo de nuevo.',
};

const pt: Texts = {
  title: 'Confirme que é você',
  text: 'Esta ação precisa do seu segundo fator outra vez. Durante 5 minutos ele não é pedido outra vez.',
  code: 'Código do seu app autenticador',
  submit: 'Continuar',
  wrong: 'O código está errado. Veja se a hora do seu dispositivo está certa, ou espere o próximo.',
  used: 'Este código já foi usado. Espere o próximo.',
  locked: 'Códigos errados demais. Espere 15 minutos e tente de novo.',
};

export const secondFactorTexts = { en, es, pt };
