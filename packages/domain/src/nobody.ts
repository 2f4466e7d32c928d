// What shops, tills and people write into a field that must not be empty. Without these rules, many buyers become one person.

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const unknown = words(`
  aa abc anonimo anonymous anonimous asd asdf client cliente convidado consumidor consumidorfinal correo correoelectronico customer
  desconhecido desconocido dominio domain ejemplo email exemplo final guest invitado mail na nada name ninguno nn no noemail
  nombre none nome null prueba qwe qwerty sin sn tem test teste testing tests tiene undefined unknown user usuario usuaria xx xxx
  xxxx`);

const withoutEmail = words(`
  noemail nomail noemailaddress sinemail sinmail sincorreo sincorreoelectronico nocorreo notiene notienecorreo notieneemail notienemail
  noposee naotem naotememail naopossui sememail semmail noreply donotreply noresponder naoresponda`);

const names = words(`
  admin anonimo anonymous asdf client cliente clientefinal clientemostrador clientegenerico clientevarios clienteweb clientes comprador
  compradoranonimo consumidor consumidorfinal convidado customer desconhecido desconocido empty finalconsumer firstname guest guestuser
  invitado lastname n na name nd ninguno nn no noname nombre nombreapellido nombreyapellido noname none nome null prueba publicogeneral
  publicoengeneral públicogeneral públicoengeneral qwerty semnome sinnombre sn test teste testing testtest pruebaprueba undefined unknown
  user usuario usuárioteste ventamostrador ventasmostrador walkin walkincustomer xxx`);

const repeated = /^(.)\1*$/u;

const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

const saysNothing = (part: string): boolean => unknown.has(part) || (part.length > 1 && repeated.test(part));

/** Whether an email, in lower case, stands for "none": `test@test.com`, `a@a.com`, `sincorreo@gmail.com`. */
export const isNobodysEmail = (email: string): boolean => {
  const [user = '', domain = ''] = email.split('@');
  const [mailbox, site] = [letters(user), letters(domain.split('.')[0] ?? '')];
  const isOneLetter = mailbox.length === 1 && mailbox === site;
  return withoutEmail.has(mailbox) || isOneLetter || (saysNothing(mailbox) && saysNothing(site));
};

/** Whether a name, in lower case and without blanks, is that of a role, a till or a test: `consumidorfinal`. */
export const isNobodysName = (name: string): boolean => names.has(name) || (name.length > 1 && repeated.test(name));

const counting = words('12345678 123456789 1234567890 0123456789 01234567890');
const sameDigits = /^\d*?(\d)\1{6,}$/;

/** Whether the digits of a national number, or those that somebody dials, are only typed: `1111111111`, `1234567890`. */
export const isNobodysNumber = (national: string): boolean => sameDigits.test(national) || counting.has(national);
