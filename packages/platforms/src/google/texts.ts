import type { PlatformTexts } from '../texts.ts';

export const googleTexts: PlatformTexts = {
  en: {
    needed: 'You need a conversion action of the type "Import from clicks", and a service account or an OAuth client.',
    fields: {
      customerId: {
        label: 'Customer id',
        help: 'The Google Ads account that owns the conversion action: ten digits at the top right, such as 123-456-7890.',
      },
      conversionActionId: {
        label: 'Conversion action id',
        help: 'Google Ads → Goals → the conversion action, of the type "Import from clicks": ctId in its URL.',
      },
      leadConversionActionId: {
        label: 'Lead conversion action id',
        help: 'Another conversion action of that type, for leads: ctId in its URL.',
      },
      loginCustomerId: {
        label: 'Manager account',
        help: 'The customer id of the manager account, if access is given through one.',
      },
      serviceAccount: {
        label: 'Service account key',
        help: 'Google Cloud → IAM → Service accounts → Keys → Create new key (JSON). Add its email address as a user in Google Ads.',
      },
      clientId: {
        label: 'OAuth client id',
        help: 'Google Cloud → APIs and services → Credentials. The Data Manager API is enabled in the project.',
      },
      clientSecret: { label: 'OAuth client secret', help: 'Beside the client id.' },
      refreshToken: {
        label: 'Refresh token',
        help: 'Issued to this client, with the scope https://www.googleapis.com/auth/datamanager.',
      },
    },
  },
  es: {
    needed:
      'Necesitas una acción de conversión del tipo «Importar de clics» y una cuenta de servicio o un cliente OAuth.',
    fields: {
      customerId: {
        label: 'Id de cliente',
        help: 'La cuenta de Google Ads dueña de la acción de conversión: diez dígitos arriba a la derecha, como 123-456-7890.',
      },
      conversionActionId: {
        label: 'Id de la acción de conversión',
        help: 'Google Ads → Objetivos → la acción de conversión, del tipo «Importar de clics»: ctId en su URL.',
      },
      leadConversionActionId: {
        label: 'Id de la acción de conversión para leads',
        help: 'Otra acción de conversión de ese tipo, para leads: ctId en su URL.',
      },
      loginCustomerId: {
        label: 'Cuenta de administrador',
        help: 'El id de cliente de la cuenta de administrador, si el acceso pasa por una.',
      },
      serviceAccount: {
        label: 'Clave de cuenta de servicio',
        help: 'Google Cloud → IAM → Cuentas de servicio → Claves → Crear clave (JSON). Añade su correo como usuario en Google Ads.',
      },
      clientId: {
        label: 'Id de cliente OAuth',
        help: 'Google Cloud → APIs y servicios → Credenciales. La Data Manager API está habilitada en el proyecto.',
      },
      clientSecret: { label: 'Secreto del cliente OAuth', help: 'Junto al id de cliente.' },
      refreshToken: {
        label: 'Token de actualización',
        help: 'Emitido para este cliente, con el alcance https://www.googleapis.com/auth/datamanager.',
      },
    },
  },
  pt: {
    needed:
      'Você precisa de uma ação de conversão do tipo "Importar de cliques" e de uma conta de serviço ou um cliente OAuth.',
    fields: {
      customerId: {
        label: 'Id do cliente',
        help: 'A conta do Google Ads dona da ação de conversão: dez dígitos no alto à direita, como 123-456-7890.',
      },
      conversionActionId: {
        label: 'Id da ação de conversão',
        help: 'Google Ads → Metas → a ação de conversão, do tipo "Importar de cliques": ctId na URL.',
      },
      leadConversionActionId: {
        label: 'Id da ação de conversão para leads',
        help: 'Outra ação de conversão desse tipo, para leads: ctId na URL.',
      },
      loginCustomerId: {
        label: 'Conta de administrador',
        help: 'O id do cliente da conta de administrador, se o acesso passa por uma.',
      },
      serviceAccount: {
        label: 'Chave da conta de serviço',
        help: 'Google Cloud → IAM → Contas de serviço → Chaves → Criar nova chave (JSON). Adicione o email dela como usuário no Google Ads.',
      },
      clientId: {
        label: 'Id do cliente OAuth',
        help: 'Google Cloud → APIs e serviços → Credenciais. A Data Manager API está ativada no projeto.',
      },
      clientSecret: { label: 'Segredo do cliente OAuth', help: 'Ao lado do id do cliente.' },
      refreshToken: {
        label: 'Token de atualização',
        help: 'Emitido para este cliente, com o escopo https://www.googleapis.com/auth/datamanager.',
      },
    },
  },
};
