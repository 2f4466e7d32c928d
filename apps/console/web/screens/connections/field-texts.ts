import type { Texts } from '../../text/language.tsx';

export interface FieldText {
  readonly label: string;
  /** What it is and where to find it. */
  readonly help: string;
}

/** By `<platform>.<field>`, or by the field for those that mean the same at several platforms. */
type FieldTexts = Readonly<Record<string, FieldText>>;

const fieldsEn: FieldTexts = {
  eventName: { label: 'Event name', help: 'What your campaigns call a conversion. Default: Purchase.' },
  leadEventName: { label: 'Lead event name', help: 'What your campaigns call a lead. Default: Lead.' },
  testEventCode: {
    label: 'Test event code',
    help: 'Events Manager → Test events. Deliveries of test keys then appear there; without it they are skipped.',
  },
  'meta.pixelId': { label: 'Data set (pixel) id', help: 'Events Manager → Data sources → the data set → Settings.' },
  'meta.refundEvent': {
    label: 'Refund event',
    help: 'An event name of its own, such as Refund, for what was taken back of a sale. Without it, refunds are skipped.',
  },
  'meta.actionSource': {
    label: 'Action source',
    help: 'Where conversions take place, if it is not the website.',
  },
  'meta.accessToken': {
    label: 'Access token',
    help: 'Events Manager → the data set → Settings → Conversions API → Generate access token.',
  },
  'meta.appSecret': {
    label: 'App secret',
    help: 'developers.facebook.com → the app of the token → App settings → Basic. Only for apps that require appsecret_proof.',
  },
  'tiktok.pixelCode': { label: 'Pixel code', help: 'TikTok Events Manager → the pixel, below its name.' },
  'tiktok.accessToken': {
    label: 'Access token',
    help: 'TikTok Events Manager → the pixel → Settings → Events API → Generate access token.',
  },
  'google.customerId': {
    label: 'Customer id',
    help: 'The Google Ads account that owns the conversion action: ten digits at the top right, such as 123-456-7890.',
  },
  'google.conversionActionId': {
    label: 'Conversion action id',
    help: 'Google Ads → Goals → the conversion action, of the type "Import from clicks": ctId in its URL.',
  },
  'google.leadConversionActionId': {
    label: 'Lead conversion action id',
    help: 'Another conversion action of that type, for leads: ctId in its URL.',
  },
  'google.loginCustomerId': {
    label: 'Manager account',
    help: 'The customer id of the manager account, if access is given through one.',
  },
  'google.serviceAccount': {
    label: 'Service account key',
    help: 'Google Cloud → IAM → Service accounts → Keys → Create new key (JSON). Add its email address as a user in Google Ads.',
  },
  'google.clientId': {
    label: 'OAuth client id',
    help: 'Google Cloud → APIs and services → Credentials. The Data Manager API is enabled in the project.',
  },
  'google.clientSecret': { label: 'OAuth client secret', help: 'Beside the client id.' },
  'google.refreshToken': {
    label: 'Refresh token',
    help: 'Issued to this client, with the scope https://www.googleapis.com/auth/datamanager.',
  },
  'linkedin.conversionRuleId': {
    label: 'Conversion rule id',
    help: 'Campaign Manager → Measurement → Conversion tracking → the rule with "Conversions API" as its source: in its URL.',
  },
  'linkedin.leadConversionRuleId': {
    label: 'Lead conversion rule id',
    help: 'Another rule with that source, for leads.',
  },
  'linkedin.clientId': {
    label: 'Client id',
    help: 'developers.linkedin.com → your app with the Advertising API → Auth.',
  },
  'linkedin.clientSecret': { label: 'Client secret', help: 'Beside the client id.' },
  'linkedin.refreshToken': {
    label: 'Refresh token',
    help: 'With the scope rw_conversions. It lasts a year; LinkedIn gives it to approved apps only.',
  },
  'linkedin.accessToken': {
    label: 'Access token',
    help: 'With the scope rw_conversions, of a member who manages the ad account. It lasts 60 days.',
  },
  'microsoft.customerId': { label: 'Customer id', help: 'Microsoft Advertising: cid in the URL.' },
  'microsoft.adAccountId': { label: 'Ad account id', help: 'Microsoft Advertising: aid in the URL.' },
  'microsoft.conversionName': {
    label: 'Goal for conversions',
    help: 'The name of the goal, of the type "Offline conversions". A new goal takes conversions after two hours.',
  },
  'microsoft.leadConversionName': { label: 'Goal for leads', help: 'The name of another goal of that type.' },
  'microsoft.developerToken': { label: 'Developer token', help: 'developers.ads.microsoft.com → Account.' },
  'microsoft.clientId': {
    label: 'Application id',
    help: 'Microsoft Entra → App registrations → a web app for any organization and personal accounts.',
  },
  'microsoft.clientSecret': { label: 'Client secret', help: 'Microsoft Entra → the app → Certificates and secrets.' },
  'microsoft.refreshToken': {
    label: 'Refresh token',
    help: 'With the scopes https://ads.microsoft.com/msads.manage and offline_access. It lasts 90 days.',
  },
};

const fieldsEs: FieldTexts = {
  eventName: { label: 'Nombre del evento', help: 'Cómo llaman tus campañas a una conversión. Por defecto: Purchase.' },
  leadEventName: { label: 'Nombre del evento de lead', help: 'Cómo llaman tus campañas a un lead. Por defecto: Lead.' },
  testEventCode: {
    label: 'Código de eventos de prueba',
    help: 'Administrador de eventos → Probar eventos. Allí aparecen entonces las entregas de claves de prueba; sin él se omiten.',
  },
  'meta.pixelId': {
    label: 'Id del conjunto de datos (píxel)',
    help: 'Administrador de eventos → Orígenes de datos → el conjunto de datos → Configuración.',
  },
  'meta.refundEvent': {
    label: 'Evento de reembolso',
    help: 'Un nombre de evento propio, como Refund, para lo que se devolvió de una venta. Sin él, los reembolsos se omiten.',
  },
  'meta.actionSource': {
    label: 'Origen de la acción',
    help: 'Dónde ocurren las conversiones, si no es en el sitio web.',
  },
  'meta.accessToken': {
    label: 'Token de acceso',
    help: 'Administrador de eventos → el conjunto de datos → Configuración → API de conversiones → Generar token de acceso.',
  },
  'meta.appSecret': {
    label: 'Clave secreta de la app',
    help: 'developers.facebook.com → la app del token → Configuración → Básica. Solo para apps que exigen appsecret_proof.',
  },
  'tiktok.pixelCode': {
    label: 'Código del píxel',
    help: 'Administrador de eventos de TikTok → el píxel, debajo de su nombre.',
  },
  'tiktok.accessToken': {
    label: 'Token de acceso',
    help: 'Administrador de eventos de TikTok → el píxel → Configuración → Events API → Generar token de acceso.',
  },
  'google.customerId': {
    label: 'Id de cliente',
    help: 'La cuenta de Google Ads dueña de la acción de conversión: diez dígitos arriba a la derecha, como 123-456-7890.',
  },
  'google.conversionActionId': {
    label: 'Id de la acción de conversión',
    help: 'Google Ads → Objetivos → la acción de conversión, del tipo «Importar de clics»: ctId en su URL.',
  },
  'google.leadConversionActionId': {
    label: 'Id de la acción de conversión para leads',
    help: 'Otra acción de conversión de ese tipo, para leads: ctId en su URL.',
  },
  'google.loginCustomerId': {
    label: 'Cuenta de administrador',
    help: 'El id de cliente de la cuenta de administrador, si el acceso pasa por una.',
  },
  'google.serviceAccount': {
    label: 'Clave de cuenta de servicio',
    help: 'Google Cloud → IAM → Cuentas de servicio → Claves → Crear clave (JSON). Añade su correo como usuario en Google Ads.',
  },
  'google.clientId': {
    label: 'Id de cliente OAuth',
    help: 'Google Cloud → APIs y servicios → Credenciales. La Data Manager API está habilitada en el proyecto.',
  },
  'google.clientSecret': { label: 'Secreto del cliente OAuth', help: 'Junto al id de cliente.' },
  'google.refreshToken': {
    label: 'Token de actualización',
    help: 'Emitido para este cliente, con el alcance https://www.googleapis.com/auth/datamanager.',
  },
  'linkedin.conversionRuleId': {
    label: 'Id de la regla de conversión',
    help: 'Campaign Manager → Medición → Seguimiento de conversiones → la regla con origen «Conversions API»: en su URL.',
  },
  'linkedin.leadConversionRuleId': {
    label: 'Id de la regla de conversión para leads',
    help: 'Otra regla con ese origen, para leads.',
  },
  'linkedin.clientId': {
    label: 'Id de cliente',
    help: 'developers.linkedin.com → tu app con la Advertising API → Auth.',
  },
  'linkedin.clientSecret': { label: 'Secreto del cliente', help: 'Junto al id de cliente.' },
  'linkedin.refreshToken': {
    label: 'Token de actualización',
    help: 'Con el alcance rw_conversions. Dura un año; LinkedIn lo da solo a apps aprobadas.',
  },
  'linkedin.accessToken': {
    label: 'Token de acceso',
    help: 'Con el alcance rw_conversions, de un miembro que administra la cuenta publicitaria. Dura 60 días.',
  },
  'microsoft.customerId': { label: 'Id de cliente', help: 'Microsoft Advertising: cid en la URL.' },
  'microsoft.adAccountId': { label: 'Id de la cuenta publicitaria', help: 'Microsoft Advertising: aid en la URL.' },
  'microsoft.conversionName': {
    label: 'Objetivo para conversiones',
    help: 'El nombre del objetivo, del tipo «Conversiones sin conexión». Un objetivo nuevo acepta conversiones después de dos horas.',
  },
  'microsoft.leadConversionName': { label: 'Objetivo para leads', help: 'El nombre de otro objetivo de ese tipo.' },
  'microsoft.developerToken': { label: 'Token de desarrollador', help: 'developers.ads.microsoft.com → Account.' },
  'microsoft.clientId': {
    label: 'Id de aplicación',
    help: 'Microsoft Entra → Registros de aplicaciones → una aplicación web para cualquier organización y cuentas personales.',
  },
  'microsoft.clientSecret': {
    label: 'Secreto del cliente',
    help: 'Microsoft Entra → la aplicación → Certificados y secretos.',
  },
  'microsoft.refreshToken': {
    label: 'Token de actualización',
    help: 'Con los alcances https://ads.microsoft.com/msads.manage y offline_access. Dura 90 días.',
  },
};

const fieldsPt: FieldTexts = {
  eventName: { label: 'Nome do evento', help: 'Como suas campanhas chamam uma conversão. Padrão: Purchase.' },
  leadEventName: { label: 'Nome do evento de lead', help: 'Como suas campanhas chamam um lead. Padrão: Lead.' },
  testEventCode: {
    label: 'Código de eventos de teste',
    help: 'Gerenciador de eventos → Eventos de teste. As entregas de chaves de teste aparecem lá; sem ele, são omitidas.',
  },
  'meta.pixelId': {
    label: 'Id do conjunto de dados (pixel)',
    help: 'Gerenciador de eventos → Fontes de dados → o conjunto de dados → Configurações.',
  },
  'meta.refundEvent': {
    label: 'Evento de reembolso',
    help: 'Um nome de evento próprio, como Refund, para o que foi devolvido de uma venda. Sem ele, reembolsos são omitidos.',
  },
  'meta.actionSource': {
    label: 'Origem da ação',
    help: 'Onde as conversões acontecem, se não for no site.',
  },
  'meta.accessToken': {
    label: 'Token de acesso',
    help: 'Gerenciador de eventos → o conjunto de dados → Configurações → API de Conversões → Gerar token de acesso.',
  },
  'meta.appSecret': {
    label: 'Chave secreta do app',
    help: 'developers.facebook.com → o app do token → Configurações → Básico. Só para apps que exigem appsecret_proof.',
  },
  'tiktok.pixelCode': {
    label: 'Código do pixel',
    help: 'Gerenciador de eventos do TikTok → o pixel, abaixo do nome.',
  },
  'tiktok.accessToken': {
    label: 'Token de acesso',
    help: 'Gerenciador de eventos do TikTok → o pixel → Configurações → Events API → Gerar token de acesso.',
  },
  'google.customerId': {
    label: 'Id do cliente',
    help: 'A conta do Google Ads dona da ação de conversão: dez dígitos no alto à direita, como 123-456-7890.',
  },
  'google.conversionActionId': {
    label: 'Id da ação de conversão',
    help: 'Google Ads → Metas → a ação de conversão, do tipo "Importar de cliques": ctId na URL.',
  },
  'google.leadConversionActionId': {
    label: 'Id da ação de conversão para leads',
    help: 'Outra ação de conversão desse tipo, para leads: ctId na URL.',
  },
  'google.loginCustomerId': {
    label: 'Conta de administrador',
    help: 'O id do cliente da conta de administrador, se o acesso passa por uma.',
  },
  'google.serviceAccount': {
    label: 'Chave da conta de serviço',
    help: 'Google Cloud → IAM → Contas de serviço → Chaves → Criar nova chave (JSON). Adicione o email dela como usuário no Google Ads.',
  },
  'google.clientId': {
    label: 'Id do cliente OAuth',
    help: 'Google Cloud → APIs e serviços → Credenciais. A Data Manager API está ativada no projeto.',
  },
  'google.clientSecret': { label: 'Segredo do cliente OAuth', help: 'Ao lado do id do cliente.' },
  'google.refreshToken': {
    label: 'Token de atualização',
    help: 'Emitido para este cliente, com o escopo https://www.googleapis.com/auth/datamanager.',
  },
  'linkedin.conversionRuleId': {
    label: 'Id da regra de conversão',
    help: 'Campaign Manager → Mensuração → Acompanhamento de conversões → a regra com origem "Conversions API": na URL.',
  },
  'linkedin.leadConversionRuleId': {
    label: 'Id da regra de conversão para leads',
    help: 'Outra regra com essa origem, para leads.',
  },
  'linkedin.clientId': {
    label: 'Id do cliente',
    help: 'developers.linkedin.com → seu app com a Advertising API → Auth.',
  },
  'linkedin.clientSecret': { label: 'Segredo do cliente', help: 'Ao lado do id do cliente.' },
  'linkedin.refreshToken': {
    label: 'Token de atualização',
    help: 'Com o escopo rw_conversions. Dura um ano; o LinkedIn o dá só a apps aprovados.',
  },
  'linkedin.accessToken': {
    label: 'Token de acesso',
    help: 'Com o escopo rw_conversions, de um membro que gerencia a conta de anúncios. Dura 60 dias.',
  },
  'microsoft.customerId': { label: 'Id do cliente', help: 'Microsoft Advertising: cid na URL.' },
  'microsoft.adAccountId': { label: 'Id da conta de anúncios', help: 'Microsoft Advertising: aid na URL.' },
  'microsoft.conversionName': {
    label: 'Meta para conversões',
    help: 'O nome da meta, do tipo "Conversões offline". Uma meta nova aceita conversões depois de duas horas.',
  },
  'microsoft.leadConversionName': { label: 'Meta para leads', help: 'O nome de outra meta desse tipo.' },
  'microsoft.developerToken': { label: 'Token de desenvolvedor', help: 'developers.ads.microsoft.com → Account.' },
  'microsoft.clientId': {
    label: 'Id do aplicativo',
    help: 'Microsoft Entra → Registros de aplicativo → um aplicativo web para qualquer organização e contas pessoais.',
  },
  'microsoft.clientSecret': {
    label: 'Segredo do cliente',
    help: 'Microsoft Entra → o aplicativo → Certificados e segredos.',
  },
  'microsoft.refreshToken': {
    label: 'Token de atualização',
    help: 'Com os escopos https://ads.microsoft.com/msads.manage e offline_access. Dura 90 dias.',
  },
};

export const fieldTexts: Texts<FieldTexts> = { en: fieldsEn, es: fieldsEs, pt: fieldsPt };
