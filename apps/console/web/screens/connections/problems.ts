import { ofTexts, translator } from '../../reason/texts.ts';

/** What the server says of a setting or credential, in another language than English. */
export const translatedProblem = translator([
  ...ofTexts,
  [
    'expected 1 to 64 characters of A-Z a-z 0-9 \\. _ - and blanks',
    {
      es: 'se esperan de 1 a 64 caracteres de A-Z a-z 0-9 . _ - y espacios',
      pt: 'esperam-se de 1 a 64 caracteres de A-Z a-z 0-9 . _ - e espaços',
    },
  ],
  [
    'expected the name of an event, such as Purchase or Lead',
    {
      es: 'se espera el nombre de un evento, por ejemplo Purchase o Lead',
      pt: 'espera-se o nome de um evento, por exemplo Purchase ou Lead',
    },
  ],
  [
    'expected the name of an event of its own, such as Refund',
    {
      es: 'se espera el nombre de un evento propio, por ejemplo Refund',
      pt: 'espera-se o nome de um evento próprio, por exemplo Refund',
    },
  ],
  [
    'expected the code that "Test events" of Events Manager shows, such as TEST12345',
    {
      es: 'se espera el código que muestra «Probar eventos» en el Administrador de eventos, por ejemplo TEST12345',
      pt: 'espera-se o código que «Eventos de teste» mostra no Gerenciador de eventos, por exemplo TEST12345',
    },
  ],
  [
    'expected the digits of the data set \\(pixel\\) id, as Events Manager shows it',
    {
      es: 'se esperan los dígitos del id del conjunto de datos (píxel), como lo muestra el Administrador de eventos',
      pt: 'esperam-se os dígitos do id do conjunto de dados (pixel), como o Gerenciador de eventos o mostra',
    },
  ],
  [
    'expected the code of the pixel, letters and digits, as Events Manager shows it',
    {
      es: 'se espera el código del píxel, letras y dígitos, como lo muestra el Administrador de eventos',
      pt: 'espera-se o código do pixel, letras e dígitos, como o Gerenciador de eventos o mostra',
    },
  ],
  [
    'expected ten digits, as Google Ads shows them \\(123-456-7890\\)',
    {
      es: 'se esperan diez dígitos, como los muestra Google Ads (123-456-7890)',
      pt: 'esperam-se dez dígitos, como o Google Ads os mostra (123-456-7890)',
    },
  ],
  [
    'expected the digits of the conversion action, which its URL in Google Ads shows as ctId',
    {
      es: 'se esperan los dígitos de la acción de conversión, que su URL en Google Ads muestra como ctId',
      pt: 'esperam-se os dígitos da ação de conversão, que a URL dela no Google Ads mostra como ctId',
    },
  ],
  [
    'expected the digits of the conversion rule, as its URL in Campaign Manager shows them',
    {
      es: 'se esperan los dígitos de la regla de conversión, como los muestra su URL en Campaign Manager',
      pt: 'esperam-se os dígitos da regra de conversão, como a URL dela no Campaign Manager os mostra',
    },
  ],
  [
    'expected the digits of the account id, as "aid" in the URL of Microsoft Advertising',
    {
      es: 'se esperan los dígitos del id de la cuenta, «aid» en la URL de Microsoft Advertising',
      pt: 'esperam-se os dígitos do id da conta, «aid» na URL do Microsoft Advertising',
    },
  ],
  [
    'expected the digits of the customer id, as "cid" in the URL of Microsoft Advertising',
    {
      es: 'se esperan los dígitos del id del cliente, «cid» en la URL de Microsoft Advertising',
      pt: 'esperam-se os dígitos do id do cliente, «cid» na URL do Microsoft Advertising',
    },
  ],
  [
    'expected the name of the conversion goal, of at most 100 characters',
    {
      es: 'se espera el nombre del objetivo de conversión, de 100 caracteres como máximo',
      pt: 'espera-se o nome da meta de conversão, de no máximo 100 caracteres',
    },
  ],
  [
    'expected .+, in one piece without blanks',
    {
      es: 'se espera de una sola pieza, sin espacios: cópialo otra vez',
      pt: 'espera-se em uma só parte, sem espaços: copie de novo',
    },
  ],
  [
    'expected the access token that Events Manager generates for the (?:pixel|data set)',
    {
      es: 'se espera el token de acceso que genera el Administrador de eventos',
      pt: 'espera-se o token de acesso que o Gerenciador de eventos gera',
    },
  ],
  [
    'expected the app secret, as the basic settings of the app show it',
    {
      es: 'se espera la clave secreta de la app, como la muestra su configuración básica',
      pt: 'espera-se a chave secreta do app, como as configurações básicas dele a mostram',
    },
  ],
  [
    'expected the developer token of the API',
    { es: 'se espera el token de desarrollador de la API', pt: 'espera-se o token de desenvolvedor da API' },
  ],
  [
    'expected the OAuth client id, which ends in (.+)',
    {
      es: 'se espera el id de cliente de OAuth, que termina en $1',
      pt: 'espera-se o id de cliente OAuth, que termina em $1',
    },
  ],
  [
    'expected the (?:application \\(client\\)|client) id of the app',
    { es: 'se espera el id de cliente de la aplicación', pt: 'espera-se o id de cliente do aplicativo' },
  ],
  [
    'expected the (?:client )?secret of the (?:OAuth client|app)',
    { es: 'se espera el secreto del cliente', pt: 'espera-se a chave secreta do cliente' },
  ],
  [
    'expected a refresh token with the scope (.+)',
    {
      es: 'se espera un token de actualización con el permiso $1',
      pt: 'espera-se um token de atualização com o escopo $1',
    },
  ],
  [
    'expected an access token with the scope (.+)',
    { es: 'se espera un token de acceso con el permiso $1', pt: 'espera-se um token de acesso com o escopo $1' },
  ],
  ['there are no credentials; give .+', { es: 'faltan las credenciales', pt: 'faltam as credenciais' }],
  [
    '(.+) is told of leads only with .+',
    {
      es: 'falta la configuración para leads: sin ella, $1 no los recibe',
      pt: 'falta a configuração para leads: sem ela, $1 não os recebe',
    },
  ],
  [
    '(.+) is the name of other events, too \\(.+\\); choose one of its own, such as Refund',
    {
      es: '$1 es también el nombre de otros eventos: elige uno propio, por ejemplo Refund',
      pt: '$1 é também o nome de outros eventos: escolha um próprio, por exemplo Refund',
    },
  ],
  [
    '.+ knows (.+) as the event of .+; choose another name, or change .+',
    {
      es: '$1 es el nombre del evento de reembolso: elige otro',
      pt: '$1 é o nome do evento de reembolso: escolha outro',
    },
  ],
  [
    'expected the key of a service account: .+',
    {
      es: 'se espera la clave de una cuenta de servicio: el archivo JSON que la consola de Google Cloud guarda para ella (IAM, Cuentas de servicio, Claves, JSON)',
      pt: 'espera-se a chave de uma conta de serviço: o arquivo JSON que o console do Google Cloud salva para ela (IAM, Contas de serviço, Chaves, JSON)',
    },
  ],
  [
    'expected the secret of the webhooks?',
    { es: 'se espera el secreto del webhook', pt: 'espera-se o segredo do webhook' },
  ],
  [
    'expected the secret that Shopify shows under the list of webhooks',
    {
      es: 'se espera el secreto que Shopify muestra debajo de la lista de webhooks',
      pt: 'espera-se o segredo que a Shopify mostra embaixo da lista de webhooks',
    },
  ],
  [
    'expected the secret with which messages are signed',
    {
      es: 'se espera el secreto con el que se firman los mensajes',
      pt: 'espera-se o segredo com que as mensagens são assinadas',
    },
  ],
  [
    'expected the signing secret of the endpoint, which begins with whsec_',
    {
      es: 'se espera el secreto de firma, que empieza con whsec_',
      pt: 'espera-se o segredo de assinatura, que começa com whsec_',
    },
  ],
  [
    'expected the name of the shop at Shopify, such as mates\\.myshopify\\.com',
    {
      es: 'se espera el nombre de la tienda en Shopify, por ejemplo mates.myshopify.com',
      pt: 'espera-se o nome da loja na Shopify, por exemplo mates.myshopify.com',
    },
  ],
  [
    'expected the digits of the store id, .+',
    { es: 'se esperan los dígitos del id de la tienda', pt: 'esperam-se os dígitos do id da loja' },
  ],
  [
    'expected the client secret of the app',
    { es: 'se espera el client secret de la app', pt: 'espera-se o client secret do app' },
  ],
  [
    'expected the access token of the (?:store|seller)',
    { es: 'se espera el token de acceso', pt: 'espera-se o token de acesso' },
  ],
  [
    'expected the name of a header, such as X-Signature',
    {
      es: 'se espera el nombre de un encabezado, por ejemplo X-Signature',
      pt: 'espera-se o nome de um cabeçalho, por exemplo X-Signature',
    },
  ],
  [
    'hmac needs the header of the signature',
    { es: 'con hmac falta el encabezado de la firma', pt: 'com hmac falta o cabeçalho da assinatura' },
  ],
  [
    'expected a path such as data\\.order\\.id, or = and a constant such as =ARS',
    {
      es: 'se espera una ruta como data.order.id, o = y un texto fijo como =ARS',
      pt: 'espera-se um caminho como data.order.id, ou = e um texto fixo como =ARS',
    },
  ],
]);
