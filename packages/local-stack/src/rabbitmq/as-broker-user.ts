/** The address of a broker of this machine as one of its users has it. */
export const asBrokerUser = (url: string, user: string): string => {
  const own = new URL(url);
  own.username = user;
  own.password = user;
  return own.href;
};
