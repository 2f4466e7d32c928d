import type { FieldTexts } from './field-text.ts';

export const fieldsPt: FieldTexts = {
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
