import type { FieldTexts } from './field-text.ts';

export const fieldsEs: FieldTexts = {
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
